//! What compiles, what does not, and what the compiler then says.
//!
//! `syntax/` holds faults that the macros report themselves, `types/` those that rustc reports in the
//! words of our traits, `known/` the few of which rustc speaks more than once. `lists.rs` holds what all
//! of them promise.
//! The texts are those of the compiler in `rust-toolchain.toml`; after a change of either run
//! `TRYBUILD=overwrite cargo test -p ui` and read the difference.

/// rustc's words change from release to release.
const COMPILER: &str = "1.95.0";

fn is_pinned_compiler() -> bool {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = std::process::Command::new(rustc)
        .arg("--version")
        .output()
        .expect("rustc runs");
    String::from_utf8_lossy(&output.stdout).contains(COMPILER)
}

#[test]
fn faults_are_reported_where_they_are_and_alone() {
    if !is_pinned_compiler() {
        println!("skipped: the fixtures are those of rustc {COMPILER}");
        return;
    }
    let cases = trybuild::TestCases::new();
    cases.compile_fail("syntax/*.rs");
    cases.compile_fail("types/*.rs");
    cases.compile_fail("known/*.rs");
    cases.pass("pass/*.rs");
}

/// Where a macro reports a fault, rustc must find nothing more to say about it.
#[test]
fn reported_faults_bring_no_other_errors_along() {
    let fixtures = std::fs::read_dir("syntax").expect("the fixtures");
    let texts = fixtures.map(|entry| entry.expect("a file").path());
    for path in texts.filter(|path| path.extension().is_some_and(|it| it == "stderr")) {
        let text = std::fs::read_to_string(&path).expect("a text");
        for line in text.lines() {
            let rustcs = line.starts_with("error[") || line.starts_with("warning");
            assert!(!rustcs, "{}: {line}", path.display());
        }
    }
}
