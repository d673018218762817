//! Random messages of any type, through its `Deserialize`: empty and long sequences, texts of several bytes a letter,
//! numbers of every size.

use serde::de::{self, DeserializeOwned, DeserializeSeed, SeqAccess, Visitor};

/// A random `T`; the same for the same seed.
pub fn random_message<T: DeserializeOwned>(seed: u64) -> T {
    let mut random = Random(seed);
    T::deserialize(Source { random: &mut random, depth: 0 }).expect("a struct of plain fields")
}

/// The generator SplitMix64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }

    /// Any bits but those of NaN and the infinities, which JSON cannot carry.
    fn float64(&mut self) -> f64 {
        match self.below(4) {
            0 => [0.0, -0.0, 1.0, f64::MAX, f64::MIN_POSITIVE][self.below(5)],
            _ => loop {
                let value = f64::from_bits(self.next());
                if value.is_finite() {
                    return value;
                }
            },
        }
    }

    fn float32(&mut self) -> f32 {
        loop {
            let value = f32::from_bits(self.next() as u32);
            if value.is_finite() {
                return value;
            }
        }
    }

    fn text(&mut self) -> String {
        const LETTERS: [char; 9] = ['a', 'Z', '_', '/', 'ü', 'Ö', 'ß', '手', '🤖'];
        let length = [0, 1, 2, 3, 4, 5, 6, 7, 40][self.below(9)];
        (0..length).map(|_| LETTERS[self.below(LETTERS.len())]).collect()
    }

    /// Shorter the deeper it is, so that messages of messages stay finite.
    fn length(&mut self, depth: usize) -> usize {
        let longest = [40, 5, 3, 2][depth.min(3)];
        match self.below(3) {
            0 => 0,
            1 => self.below(longest + 1),
            _ => 1 + self.below(2),
        }
    }
}

struct Source<'a> {
    random: &'a mut Random,
    depth: usize,
}

type Error = de::value::Error;

macro_rules! primitives {
    ($($method:ident $visit:ident $type:ty;)*) => {
        $(fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
            visitor.$visit(self.random.next() as $type)
        })*
    };
}

impl<'de> de::Deserializer<'de> for Source<'_> {
    type Error = Error;

    primitives! {
        deserialize_i8 visit_i8 i8;
        deserialize_i16 visit_i16 i16;
        deserialize_i32 visit_i32 i32;
        deserialize_i64 visit_i64 i64;
        deserialize_u8 visit_u8 u8;
        deserialize_u16 visit_u16 u16;
        deserialize_u32 visit_u32 u32;
        deserialize_u64 visit_u64 u64;
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_bool(self.random.below(2) == 1)
    }

    fn deserialize_f32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_f32(self.random.float32())
    }

    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_f64(self.random.float64())
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_string(self.random.text())
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_string(self.random.text())
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let left = self.random.length(self.depth);
        visitor.visit_seq(Elements { random: self.random, left, depth: self.depth + 1 })
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, n: usize, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_seq(Elements { random: self.random, left: n, depth: self.depth })
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        names: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        visitor.visit_seq(Elements { random: self.random, left: names.len(), depth: self.depth })
    }

    fn deserialize_any<V: Visitor<'de>>(self, _visitor: V) -> Result<V::Value, Error> {
        Err(de::Error::custom("a type that no message has"))
    }

    serde::forward_to_deserialize_any! {
        i128 u128 char bytes byte_buf option unit unit_struct newtype_struct tuple_struct map enum identifier ignored_any
    }
}

struct Elements<'a> {
    random: &'a mut Random,
    left: usize,
    depth: usize,
}

impl<'de> SeqAccess<'de> for Elements<'_> {
    type Error = Error;

    fn next_element_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, Error> {
        if self.left == 0 {
            return Ok(None);
        }
        self.left -= 1;
        seed.deserialize(Source { random: self.random, depth: self.depth }).map(Some)
    }
}
