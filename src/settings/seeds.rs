//! Seeds: the published ones (rules 8.1) and lists of them as a person writes them.
//!
//! ```
//! use rehearsal::settings::seeds;
//! assert_eq!(seeds::parse("1,5..7").unwrap(), [1, 5, 6, 7]);
//! assert_eq!(seeds::parse("published:3").unwrap(), seeds::default_seeds()[..3]);
//! ```

/// The sixty published seeds, in order: the first four bytes, big-endian, of the SHA-256 of
/// `poisson-tasks/calibration/seeds/v0:<i>` for i from 0 to 59, sorted.
pub const PUBLISHED: [u64; 60] = [
    13_553_586,
    27_616_517,
    50_657_477,
    105_286_572,
    187_400_220,
    368_080_113,
    394_421_153,
    398_059_135,
    563_945_138,
    584_772_402,
    622_724_748,
    649_553_462,
    786_572_369,
    955_931_711,
    1_243_753_353,
    1_247_889_374,
    1_262_019_645,
    1_278_090_698,
    1_382_070_272,
    1_389_343_648,
    1_405_625_325,
    1_409_539_531,
    1_551_328_831,
    1_596_504_445,
    1_635_000_936,
    1_665_141_531,
    1_668_511_753,
    1_698_211_250,
    1_716_668_105,
    1_845_993_005,
    1_861_892_846,
    1_941_689_911,
    1_990_810_543,
    2_097_992_177,
    2_130_219_692,
    2_189_457_145,
    2_209_292_986,
    2_302_271_894,
    2_376_456_478,
    2_405_712_043,
    2_419_061_255,
    2_494_569_100,
    2_650_597_096,
    2_659_471_707,
    2_680_345_246,
    2_746_827_396,
    2_868_393_299,
    2_877_429_095,
    2_879_043_374,
    2_913_441_322,
    2_969_022_669,
    3_123_932_332,
    3_289_497_648,
    3_300_176_299,
    3_338_026_972,
    3_432_921_611,
    3_847_550_971,
    3_943_741_831,
    4_191_173_136,
    4_209_857_009,
];

/// How many of the published seeds are used when none are given.
pub const DEFAULT_COUNT: usize = 10;

/// Most seeds a list may hold.
pub const MOST: usize = 1_000_000;

/// The seeds used when none are given.
pub fn default_seeds() -> Vec<u64> {
    PUBLISHED[..DEFAULT_COUNT].to_vec()
}

/// A list of seeds as written in a flag: numbers and ranges with both ends, between commas (`1,2,5..9`), and the word
/// `published` for all sixty, `published:20` for the first twenty. A seed written twice counts once, where it first
/// stands. The error is one line.
pub fn parse(text: &str) -> Result<Vec<u64>, String> {
    let mut seeds = Vec::new();
    for part in text.split(',').map(str::trim) {
        if part == "published" {
            seeds.extend(PUBLISHED);
        } else if let Some(n) = part.strip_prefix("published:") {
            let n = n.parse::<usize>().ok().filter(|n| (1..=PUBLISHED.len()).contains(n));
            let n = n.ok_or_else(|| format!("{part}: there are {} published seeds", PUBLISHED.len()))?;
            seeds.extend(&PUBLISHED[..n]);
        } else if let Some((first, last)) = part.split_once("..") {
            let (first, last) = (number(first, text)?, number(last.strip_prefix('=').unwrap_or(last), text)?);
            if last < first {
                return Err(format!("the range {part} ends before it begins"));
            }
            if last - first >= MOST as u64 {
                return Err(too_many());
            }
            seeds.extend(first..=last);
        } else {
            seeds.push(number(part, text)?);
        }
        if seeds.len() > MOST {
            return Err(too_many());
        }
    }
    Ok(once(seeds))
}

fn too_many() -> String {
    format!("at most {} seeds", crate::text::group(MOST as u64))
}

fn number(text: &str, whole: &str) -> Result<u64, String> {
    let text = text.trim();
    let digits = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    text.parse().ok().filter(|_| digits).ok_or_else(|| {
        let place = if text == whole.trim() { String::new() } else { format!(" in {whole}") };
        format!("\"{text}\" is not a seed{place}; use 7 or 1,2,5..9")
    })
}

/// The seeds without repeats, first places kept.
pub(super) fn once(seeds: Vec<u64>) -> Vec<u64> {
    let mut seen = std::collections::HashSet::new();
    seeds.into_iter().filter(|seed| seen.insert(*seed)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use sha2::{Digest, Sha256};

    #[test]
    fn published_seeds_are_the_hashes_of_their_names() {
        let mut seeds: Vec<u64> = (0..60)
            .map(|i| {
                let digest = Sha256::digest(format!("poisson-tasks/calibration/seeds/v0:{i}"));
                u64::from(u32::from_be_bytes([digest[0], digest[1], digest[2], digest[3]]))
            })
            .collect();
        seeds.sort_unstable();
        assert_eq!(seeds, PUBLISHED);
        assert_eq!(default_seeds(), seeds[..10]);
    }

    #[test]
    fn lists_are_numbers_and_ranges() {
        assert_eq!(parse("1,2,5..9").unwrap(), [1, 2, 5, 6, 7, 8, 9]);
        assert_eq!(parse(" 3 , 1..=2,3,2 ").unwrap(), [3, 1, 2]);
        assert_eq!(parse("18446744073709551615").unwrap(), [u64::MAX]);
        assert_eq!(parse("published").unwrap(), PUBLISHED);
        assert_eq!(parse("published:2,7").unwrap(), [13_553_586, 27_616_517, 7]);
        for bad in [
            "",
            "a",
            "1,,2",
            "-1",
            "+1",
            "1.5",
            "9..5",
            "1..",
            "..2",
            "1-3",
            "18446744073709551616",
            "0x1",
            "published:0",
            "published:61",
        ] {
            assert!(parse(bad).is_err(), "{bad}");
        }
        assert!(parse("0..18446744073709551615").unwrap_err().contains("at most 1,000,000"));
        assert!(parse("0..999999,2000000").unwrap_err().contains("at most"));
    }
}
