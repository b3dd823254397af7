//! Dates and date-times of YAML 1.1 (rules 2.5): from text to ISO text, and which of them are one instant.

/// What a text in the form of a date comes to.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Time {
    /// Not of that form.
    No,
    /// Of that form, but no such day or time exists.
    Impossible,
    /// ISO text: `YYYY-MM-DD`, or `YYYY-MM-DDTHH:MM:SS`, `.ffffff` unless zero, `+HH:MM` when an offset was given.
    Iso(String),
}

/// The form of a plain scalar that is a date: `dddd-dd-dd`, or a date-time with one or two digits a part.
pub(super) fn plain(text: &str) -> Time {
    match fields(text) {
        Some(fields) if fields.clock.is_some() || text.len() == 10 => check(&fields),
        _ => Time::No,
    }
}

/// The form that a `!!timestamp` tag takes: also a date of one-digit parts.
pub(super) fn tagged(text: &str) -> Time {
    fields(text).map_or(Time::No, |fields| check(&fields))
}

struct Fields {
    year: u32,
    month: u32,
    day: u32,
    clock: Option<Clock>,
}

struct Clock {
    hour: u32,
    minute: u32,
    second: u32,
    micros: u32,
    /// Minutes east of UTC.
    offset: Option<i32>,
}

/// Reads bytes from the left.
struct Scan<'a>(&'a [u8]);

impl Scan<'_> {
    fn take(&mut self, wanted: &[u8]) -> Option<u8> {
        let (&first, rest) = self.0.split_first()?;
        wanted.contains(&first).then(|| {
            self.0 = rest;
            first
        })
    }

    fn digits(&mut self, least: usize, most: usize) -> Option<u32> {
        let count = self.0.iter().take(most).take_while(|b| b.is_ascii_digit()).count();
        let (digits, rest) = self.0.split_at(count);
        (count >= least).then(|| {
            self.0 = rest;
            digits.iter().fold(0, |n, d| n * 10 + u32::from(d - b'0'))
        })
    }

    fn blanks(&mut self) -> bool {
        let count = self.0.iter().take_while(|b| matches!(b, b' ' | b'\t')).count();
        self.0 = &self.0[count..];
        count > 0
    }
}

fn fields(text: &str) -> Option<Fields> {
    let mut scan = Scan(text.as_bytes());
    let year = scan.digits(4, 4)?;
    scan.take(b"-")?;
    let month = scan.digits(1, 2)?;
    scan.take(b"-")?;
    let day = scan.digits(1, 2)?;
    let clock = if scan.0.is_empty() { None } else { Some(clock(&mut scan)?) };
    scan.0.is_empty().then_some(Fields { year, month, day, clock })
}

fn clock(scan: &mut Scan<'_>) -> Option<Clock> {
    if scan.take(b"Tt").is_none() && !scan.blanks() {
        return None;
    }
    let hour = scan.digits(1, 2)?;
    scan.take(b":")?;
    let minute = scan.digits(2, 2)?;
    scan.take(b":")?;
    let second = scan.digits(2, 2)?;
    let mut micros = 0;
    if scan.take(b".").is_some() {
        let count = scan.0.iter().take_while(|b| b.is_ascii_digit()).count();
        let (fraction, rest) = scan.0.split_at(count);
        // more than six digits are cut, not rounded
        micros = (0..6).fold(0, |n, i| n * 10 + fraction.get(i).map_or(0, |d| u32::from(d - b'0')));
        scan.0 = rest;
    }
    scan.blanks();
    let offset = match scan.take(b"Z+-") {
        None => None,
        Some(b'Z') => Some(0),
        Some(sign) => {
            let hours = scan.digits(1, 2)? as i32;
            let minutes = if scan.take(b":").is_some() { scan.digits(2, 2)? as i32 } else { 0 };
            let east = hours * 60 + minutes;
            Some(if sign == b'-' { -east } else { east })
        }
    };
    Some(Clock { hour, minute, second, micros, offset })
}

fn days_in(year: u32, month: u32) -> u32 {
    let leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    match month {
        2 if leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

fn check(fields: &Fields) -> Time {
    let Fields { year, month, day, clock } = fields;
    if *year == 0 || !(1..=12).contains(month) || !(1..=days_in(*year, *month)).contains(day) {
        return Time::Impossible;
    }
    let mut iso = format!("{year:04}-{month:02}-{day:02}");
    if let Some(Clock { hour, minute, second, micros, offset }) = clock {
        if *hour > 23 || *minute > 59 || *second > 59 || offset.is_some_and(|east| east.abs() >= 24 * 60) {
            return Time::Impossible;
        }
        iso.push_str(&format!("T{hour:02}:{minute:02}:{second:02}"));
        if *micros > 0 {
            iso.push_str(&format!(".{micros:06}"));
        }
        if let Some(east) = offset {
            let sign = if *east < 0 { '-' } else { '+' };
            iso.push_str(&format!("{sign}{:02}:{:02}", east.abs() / 60, east.abs() % 60));
        }
    }
    Time::Iso(iso)
}

/// The instant of an ISO text with an offset, in microseconds: such texts are one key when their instants are one.
pub(super) fn instant(iso: &str) -> Option<i64> {
    let Fields { year, month, day, clock } = fields(iso)?;
    let Clock { hour, minute, second, micros, offset } = clock?;
    let years_before = i64::from(year) - 1;
    let leap_days = years_before / 4 - years_before / 100 + years_before / 400;
    let days_before: u32 = (1..month).map(|m| days_in(year, m)).sum();
    let days = years_before * 365 + leap_days + i64::from(days_before + day);
    let minutes = days * 1440 + i64::from(hour * 60 + minute) - i64::from(offset?);
    Some((minutes * 60 + i64::from(second)) * 1_000_000 + i64::from(micros))
}
