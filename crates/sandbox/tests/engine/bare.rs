//! An image with nothing in it, and a program that needs nothing.

use std::io::Write as _;
use std::process::{Command, Stdio};

use slopbench_sandbox::docker::{ContainerEngine, Image};

/// An image without a single file, removed when this goes.
pub struct BareImage(pub Image);

impl BareImage {
    pub fn new() -> Self {
        let name = format!("slopbench-test/bare:{}", std::process::id());
        let mut import = Command::new("docker").args(["import", "-", &name]).stdin(Stdio::piped()).spawn().unwrap();
        let mut tar = tar::Builder::new(Vec::new());
        let mut folder = tar::Header::new_gnu();
        folder.set_entry_type(tar::EntryType::Directory);
        folder.set_mode(0o755);
        folder.set_size(0);
        tar.append_data(&mut folder, "etc", std::io::empty()).unwrap();
        import.stdin.take().unwrap().write_all(&tar.into_inner().unwrap()).unwrap();
        assert!(import.wait().unwrap().success());
        Self(ContainerEngine::connect().unwrap().find_image(&name).unwrap())
    }
}

impl Drop for BareImage {
    fn drop(&mut self) {
        let _ = Command::new("docker").args(["rmi", &self.0.name]).stdout(Stdio::null()).status();
    }
}

/// An ELF file for x86-64 that ends with exit code 7, by two system calls' worth of code and no library.
pub fn program_of_its_own() -> Vec<u8> {
    const CODE: [u8; 12] = [0xbf, 7, 0, 0, 0, 0xb8, 60, 0, 0, 0, 0x0f, 0x05];
    const BASE: u64 = 0x40_0000;
    let size = 120 + CODE.len() as u64;
    let mut file = b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0".to_vec();
    let mut put = |numbers: &[(u64, usize)]| {
        for (number, bytes) in numbers {
            file.extend(&number.to_le_bytes()[..*bytes]);
        }
    };
    // An executable for this machine: where it starts, and where its one program header lies.
    put(&[(2, 2), (62, 2), (1, 4), (BASE + 120, 8), (64, 8), (0, 8), (0, 4), (64, 2), (56, 2), (1, 2), (0, 6)]);
    // That maps the whole file, to be read and executed.
    put(&[(1, 4), (5, 4), (0, 8), (BASE, 8), (BASE, 8), (size, 8), (size, 8), (0x1000, 8)]);
    file.extend(CODE);
    file
}
