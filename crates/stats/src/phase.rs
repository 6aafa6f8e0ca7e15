//! SlopCodeBench's five phases of progress, by which problems of different lengths are pooled.

use crate::error::{Error, within};

/// A fifth of a trajectory, by the paper's section 2.2 ("Progress phases").
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Phase {
    /// The first checkpoint.
    Start,
    /// The first group of the interior.
    Early,
    /// Its second group; of problems of three checkpoints there is none.
    Mid,
    /// Its third group; of problems of up to four checkpoints there is none.
    Late,
    /// The last checkpoint.
    Final,
}

impl Phase {
    /// All of them, in their order.
    pub const ALL: [Self; 5] = [Self::Start, Self::Early, Self::Mid, Self::Late, Self::Final];

    /// The phase of a checkpoint, counted from 1, of a problem that has `checkpoints`.
    ///
    /// The first is Start and the last Final, whatever lies between; the interior is cut into three groups of equal
    /// size, of which the earlier take one more each where it does not divide. Both counts are of the problem, not of
    /// what an agent reached: a trajectory that ends early has no Final.
    ///
    /// # Errors
    ///
    /// A problem of fewer than two checkpoints, whose only one would be both, or a checkpoint that it does not have.
    pub fn of(checkpoint: u32, checkpoints: u32) -> Result<Self, Error> {
        if checkpoints < 2 {
            return Err(Error::TooFew { given: checkpoints as usize, needed: 2 });
        }
        let exists = (1..=checkpoints).contains(&checkpoint);
        within("the checkpoint", f64::from(checkpoint), exists, "one of the problem's, counted from 1")?;
        let (size, larger) = ((checkpoints - 2) / 3, (checkpoints - 2) % 3);
        let ends =
            [1, size + u32::from(larger > 0), size + u32::from(larger > 1), size].into_iter().scan(0, |end, size| {
                *end += size;
                Some(*end)
            });
        Ok(Self::ALL[ends.take_while(|&end| end < checkpoint).count()])
    }

    /// As the paper writes it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Start => "Start",
            Self::Early => "Early",
            Self::Mid => "Mid",
            Self::Late => "Late",
            Self::Final => "Final",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How many checkpoints each phase has, by the paper's words, for all lengths that its problems have and some
    /// others.
    #[test]
    fn the_interior_is_cut_in_three_and_the_earlier_take_the_extra() {
        let sizes = [
            (2, [1, 0, 0, 0, 1]),
            (3, [1, 1, 0, 0, 1]),
            (4, [1, 1, 1, 0, 1]),
            (5, [1, 1, 1, 1, 1]),
            (6, [1, 2, 1, 1, 1]),
            (7, [1, 2, 2, 1, 1]),
            (8, [1, 2, 2, 2, 1]),
            (9, [1, 3, 2, 2, 1]),
            (30, [1, 10, 9, 9, 1]),
        ];
        for (checkpoints, sizes) in sizes {
            let phases: Vec<Phase> = (1..=checkpoints).map(|one| Phase::of(one, checkpoints).unwrap()).collect();
            let counts = Phase::ALL.map(|phase| phases.iter().filter(|&&one| one == phase).count());
            assert_eq!(counts, sizes, "{checkpoints} checkpoints");
            assert!(phases.is_sorted());
        }
    }

    #[test]
    fn names_are_the_papers() {
        assert_eq!(Phase::ALL.map(Phase::name), ["Start", "Early", "Mid", "Late", "Final"]);
    }

    #[test]
    fn what_has_no_phase_is_an_error() {
        assert_eq!(Phase::of(1, 1), Err(Error::TooFew { given: 1, needed: 2 }));
        assert!(matches!(Phase::of(0, 3), Err(Error::OutOfRange { .. })));
        assert!(matches!(Phase::of(4, 3), Err(Error::OutOfRange { .. })));
    }
}
