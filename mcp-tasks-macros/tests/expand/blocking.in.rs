/// Hashes.
#[mcp_tool(blocking, crate = ::renamed)]
fn hash(Args(input): Args<Input>, #[arg(inject)] user: User) -> u64 {
    input.hash(user)
}
