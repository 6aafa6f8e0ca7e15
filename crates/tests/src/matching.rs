//! Pairing what is expected with what was observed, in whatever order fits.

/// Pairs each of `count` items with one of `partners` that fits it. Returns the first item for which none is left,
/// whichever way the others are paired: nothing, if all can be.
///
/// Augmenting paths of a bipartite matching (Kuhn): a greedy choice would fail where an item takes the only partner of
/// another. Asks `fits` for each pair, so callers bound both numbers.
pub(crate) fn unpaired(count: usize, partners: usize, fits: impl Fn(usize, usize) -> bool) -> Option<usize> {
    let fits = (0..count).map(|item| (0..partners).filter(|partner| fits(item, *partner)).collect()).collect();
    let mut pairing = Pairing { fits, owners: vec![None; partners] };
    (0..count).find(|item| !pairing.pair(*item, &mut vec![false; partners]))
}

struct Pairing {
    /// The partners that fit each item.
    fits: Vec<Vec<usize>>,
    /// The item that each partner has now.
    owners: Vec<Option<usize>>,
}

impl Pairing {
    /// Finds a partner for an item, pairing others anew if need be. `tried` are partners that need no second look.
    fn pair(&mut self, item: usize, tried: &mut [bool]) -> bool {
        // A free one first: most items have one, and nothing is paired anew for it.
        self.take(item, |pairing, partner| pairing.owner(partner).is_none())
            || self.take(item, |pairing, partner| {
                let is_new = tried.get_mut(partner).is_some_and(|tried| !std::mem::replace(tried, true));
                is_new && pairing.owner(partner).is_some_and(|other| pairing.pair(other, tried))
            })
    }

    /// Gives an item the first of its partners that `may` says is to be had.
    fn take(&mut self, item: usize, mut may: impl FnMut(&mut Self, usize) -> bool) -> bool {
        let mut next = 0;
        while let Some(&partner) = self.fits.get(item).and_then(|partners| partners.get(next)) {
            if may(self, partner) {
                self.owners.get_mut(partner).into_iter().for_each(|owner| *owner = Some(item));
                return true;
            }
            next += 1;
        }
        false
    }

    fn owner(&self, partner: usize) -> Option<usize> {
        self.owners.get(partner).copied().flatten()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_made_anew_until_everyone_has_one_that_fits() {
        let all = |fits: &[[bool; 2]]| unpaired(2, 2, |item, partner| fits[item][partner]);
        assert_eq!(all(&[[true, true], [true, false]]), None, "the first has to take the second partner");
        assert_eq!(all(&[[true, false], [true, false]]), Some(1));
        assert_eq!(unpaired(2, 3, |item, partner| partner > item), None);
        assert_eq!(unpaired(2, 1, |_, _| true), Some(1));
        assert_eq!(unpaired(0, 0, |_, _| true), None);
    }

    /// Every item but the last prefers what only the one before can spare: the longest chain there is.
    #[test]
    fn a_long_chain_is_followed_to_its_end() {
        let count = 1000;
        assert_eq!(unpaired(count, count, |item, partner| partner == item || partner == item + 1), None);
        let chain = |item: usize, partner: usize| if item + 1 == count { partner == 0 } else { partner <= item + 1 };
        assert_eq!(unpaired(count, count, chain), None);
    }
}
