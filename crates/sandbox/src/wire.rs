//! How the two sides of a pipe talk: a length (four bytes, little endian), then that many bytes of
//! JSON.

use std::io::{self, Read, Write};

use serde::Serialize;
use serde::de::DeserializeOwned;

/// No honest frame is larger. A length beyond it is garbage, and must not become an allocation.
const LARGEST: usize = 1 << 30;

/// Writes one value.
pub(crate) fn write(to: &mut impl Write, value: &impl Serialize) -> io::Result<()> {
    let mut frame = vec![0; 4];
    serde_json::to_writer(&mut frame, value)?;
    let length = frame.len() - 4;
    let header = u32::try_from(length).ok().filter(|_| length <= LARGEST);
    let header = header.ok_or_else(|| io::Error::other(format!("a message of {length} bytes is over {LARGEST}")))?;
    frame[..4].copy_from_slice(&header.to_le_bytes());
    to.write_all(&frame)?;
    to.flush()
}

/// Reads one value; nothing if the other side closed the pipe between two.
pub(crate) fn read<T: DeserializeOwned>(from: &mut impl Read) -> io::Result<Option<T>> {
    let mut header = [0; 4];
    let mut filled = 0;
    while let Some(rest) = header.get_mut(filled..).filter(|rest| !rest.is_empty()) {
        match from.read(rest) {
            Ok(0) if filled == 0 => return Ok(None),
            Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
            Ok(count) => filled += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    let length = length(header)?;
    let mut body = vec![0; length];
    from.read_exact(&mut body)?;
    Ok(Some(serde_json::from_slice(&body)?))
}

/// Takes one value off the front of what was read so far; nothing if it is not all there yet.
pub(crate) fn take<T: DeserializeOwned>(buffer: &mut Vec<u8>) -> io::Result<Option<T>> {
    let Some(header) = buffer.first_chunk::<4>() else {
        return Ok(None);
    };
    let end = 4 + length(*header)?;
    let Some(body) = buffer.get(4..end) else {
        return Ok(None);
    };
    let value = serde_json::from_slice(body)?;
    buffer.drain(..end);
    Ok(Some(value))
}

fn length(header: [u8; 4]) -> io::Result<usize> {
    let length = u32::from_le_bytes(header) as usize;
    if length > LARGEST {
        return Err(io::Error::other(format!("a message claims {length} bytes, more than {LARGEST}")));
    }
    Ok(length)
}

/// Bytes as base64 text: a third more, where JSON's arrays of numbers take four times as much.
pub(crate) mod base64_bytes {
    use base64::Engine as _;
    use base64::engine::general_purpose::STANDARD;
    use serde::{Deserialize, Deserializer, Serializer, de::Error as _};

    pub(crate) fn serialize<S: Serializer>(bytes: &[u8], to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&STANDARD.encode(bytes))
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<u8>, D::Error> {
        STANDARD.decode(String::deserialize(from)?).map_err(D::Error::custom)
    }
}

/// The same for several.
pub(crate) mod base64_list {
    use base64::Engine as _;
    use base64::engine::general_purpose::STANDARD;
    use serde::{Deserialize, Deserializer, Serializer, de::Error as _};

    pub(crate) fn serialize<S: Serializer>(list: &[Vec<u8>], to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(list.iter().map(|bytes| STANDARD.encode(bytes)))
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<Vec<u8>>, D::Error> {
        let list = Vec::<String>::deserialize(from)?;
        list.into_iter().map(|text| STANDARD.decode(text).map_err(D::Error::custom)).collect()
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn values_come_out_as_they_went_in() {
        let mut pipe = Vec::new();
        write(&mut pipe, &"first").unwrap();
        write(&mut pipe, &2).unwrap();
        let mut bytes = pipe.as_slice();
        assert_eq!(read::<String>(&mut bytes).unwrap().unwrap(), "first");
        assert_eq!(read::<i32>(&mut bytes).unwrap(), Some(2));
        assert_eq!(read::<i32>(&mut bytes).unwrap(), None);
    }

    #[test]
    fn half_a_value_is_waited_for() {
        let mut pipe = Vec::new();
        write(&mut pipe, &"whole").unwrap();
        let tail = pipe.split_off(6);
        assert_eq!(take::<String>(&mut pipe).unwrap(), None);
        pipe.extend(tail);
        assert_eq!(take::<String>(&mut pipe).unwrap().unwrap(), "whole");
        assert!(pipe.is_empty());
    }

    #[test]
    fn garbage_is_an_error_and_no_allocation() {
        assert!(read::<String>(&mut [0xff; 8].as_slice()).is_err());
        assert!(read::<String>(&mut [1, 0].as_slice()).is_err());
    }
}
