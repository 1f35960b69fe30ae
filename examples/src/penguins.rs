//! Rows like those of the Palmer penguins, as many as anyone wants.

use std::io::{self, Write};

/// The header of `data/penguins.csv`.
pub const HEADER: &str =
    "species,island,bill_length_mm,bill_depth_mm,flipper_length_mm,body_mass_g,sex,year";

/// A species with its islands and the mean and spread of its measures. Tenths of millimetres for the
/// bill, millimetres for the flipper, grams for the mass.
struct Species {
    name: &'static str,
    islands: &'static [&'static str],
    bill_length: (u64, u64),
    bill_depth: (u64, u64),
    flipper: (u64, u64),
    mass: (u64, u64),
}

const SPECIES: [Species; 3] = [
    Species {
        name: "Adelie",
        islands: &["Torgersen", "Biscoe", "Dream"],
        bill_length: (388, 27),
        bill_depth: (183, 12),
        flipper: (190, 7),
        mass: (3700, 459),
    },
    Species {
        name: "Gentoo",
        islands: &["Biscoe"],
        bill_length: (475, 31),
        bill_depth: (150, 10),
        flipper: (217, 6),
        mass: (5076, 504),
    },
    Species {
        name: "Chinstrap",
        islands: &["Dream"],
        bill_length: (488, 33),
        bill_depth: (184, 11),
        flipper: (196, 7),
        mass: (3733, 384),
    },
];

/// Writes the header and `rows` rows; the same `seed` gives the same bytes everywhere.
pub fn write(out: &mut impl Write, rows: u64, seed: u64) -> io::Result<()> {
    let mut dice = Dice(seed);
    writeln!(out, "{HEADER}")?;
    for _ in 0..rows {
        write_row(out, &mut dice)?;
    }
    Ok(())
}

fn write_row(out: &mut impl Write, dice: &mut Dice) -> io::Result<()> {
    let species = dice.pick(&SPECIES);
    write!(out, "{},{},", species.name, dice.pick(species.islands))?;
    if dice.below(170) == 0 {
        write!(out, "NA,NA,NA,NA,")?;
    } else {
        for measure in [species.bill_length, species.bill_depth] {
            let tenths = dice.around(measure);
            write!(out, "{}.{},", tenths / 10, tenths % 10)?;
        }
        write!(
            out,
            "{},{},",
            dice.around(species.flipper),
            dice.around(species.mass) / 25 * 25
        )?;
    }
    let sex = if dice.below(31) == 0 {
        "NA"
    } else {
        dice.pick(&["male", "female"])
    };
    writeln!(out, "{sex},{}", 2007 + dice.below(3))
}

/// `SplitMix64`: few lines, and the same numbers on every machine.
struct Dice(u64);

impl Dice {
    fn roll(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, end: u64) -> u64 {
        self.roll() % end
    }

    fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        #[expect(
            clippy::cast_possible_truncation,
            reason = "below the length of a slice"
        )]
        let at = self.below(items.len() as u64) as usize;
        &items[at]
    }

    /// About normal: three even dice, whose sum has a standard deviation of one `spread`.
    fn around(&mut self, (mean, spread): (u64, u64)) -> u64 {
        let sum: u64 = (0..3).map(|_| self.below(2 * spread + 1)).sum();
        mean + sum - 3 * spread
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::Analysis;
    use crate::analysis::Kind::{Integer, Number, Text};

    fn generate(rows: u64, seed: u64) -> Vec<u8> {
        let mut out = Vec::new();
        write(&mut out, rows, seed).unwrap();
        out
    }

    #[test]
    fn a_seed_gives_the_same_bytes_and_another_gives_others() {
        assert_eq!(generate(100, 1), generate(100, 1));
        assert_ne!(generate(100, 1), generate(100, 2));
    }

    #[test]
    fn generated_columns_have_the_types_of_the_real_ones() {
        let csv = generate(2_000, 1);
        let analysis = Analysis::new(&csv[..], csv.len() as u64).unwrap();
        let report = analysis.read_chunk(u64::MAX).unwrap().report("generated");
        assert_eq!((report.rows, report.ragged_rows), (2_000, 0));
        let kinds: Vec<_> = report.columns.iter().map(|column| column.kind).collect();
        assert_eq!(
            kinds,
            [Text, Text, Number, Number, Integer, Integer, Text, Integer]
        );
        assert!(report.columns[2].missing > 0);
    }
}
