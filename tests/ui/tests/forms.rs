//! What `#[derive(ElicitForm)]` says when it is used wrongly, and where it must work.
//!
//! The texts are those of the compiler in `rust-toolchain.toml`; `TRYBUILD=overwrite` records new ones.

#[test]
fn derive_elicit_form() {
    let cases = trybuild::TestCases::new();
    cases.pass("forms/pass/*.rs");
    cases.compile_fail("forms/*.rs");
}
