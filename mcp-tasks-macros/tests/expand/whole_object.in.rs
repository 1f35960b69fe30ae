/// Books a table.
#[mcp_tool(name = "book.table", destructive = false, crate = ::renamed)]
pub(crate) async fn book(Args(booking): Args<Booking>, #[arg(inject)] user: User) -> String {
    user.book(booking).await
}
