//! Where groups were found, as Python keeps it.
//!
//! Going back forgets the groups first found on the way, but puts back those found again only inside a repeat (or after a
//! turn of one). It shows in back references.

/// No position.
pub(super) const NOWHERE: usize = usize::MAX;

/// Where groups begin and end, two places each.
#[derive(Debug)]
pub(super) struct Marks {
    places: Vec<usize>,
    /// How many of the places count.
    pub(super) valid: usize,
}

impl Marks {
    pub(super) fn new(groups: usize) -> Self {
        Self { places: vec![NOWHERE; groups * 2], valid: 0 }
    }

    pub(super) fn keep(&mut self, slot: usize, position: usize) {
        if slot >= self.valid {
            // those passed over were not met
            if let Some(between) = self.places.get_mut(self.valid..slot) {
                between.fill(NOWHERE);
            }
            self.valid = slot + 1;
        }
        if let Some(place) = self.places.get_mut(slot) {
            *place = position;
        }
    }

    /// Start and end of a group that was found.
    pub(super) fn group(&self, group: usize) -> Option<(usize, usize)> {
        let slot = (group - 1) * 2;
        let [start, end] = *self.places.get(slot..slot + 2)? else { return None };
        (slot + 1 < self.valid && start != NOWHERE && end != NOWHERE && end >= start).then_some((start, end))
    }

    pub(super) fn all(&self) -> &[usize] {
        self.places.get(..self.valid).unwrap_or_default()
    }

    /// Counts no more than `valid` places, and puts back their saved values if there are any.
    pub(super) fn restore(&mut self, valid: usize, values: &[usize]) {
        self.valid = valid;
        for (place, value) in self.places.iter_mut().zip(values) {
            *place = *value;
        }
    }
}
