#[allow(clippy::missing_errors_doc, clippy::missing_panics_doc, clippy::unused_async)]
/// Books a table.
pub(crate) async fn book(Args(booking): Args<Booking>, user: User) -> String {
    user.book(booking).await
}
#[doc(hidden)]
#[allow(
    missing_copy_implementations,
    missing_debug_implementations,
    non_camel_case_types,
    unreachable_pub
)]
pub(crate) struct book {}
#[allow(deprecated, clippy::all, clippy::pedantic)]
const _: () = {
    use ::renamed::__private as __mcp;
    #[automatically_derived]
    impl __mcp::Tool for book {
        const SPEC: &'static __mcp::ToolSpec = &__mcp::ToolSpec::new(
                "book.table",
                "Books a table.",
                &[],
                ::core::file!(),
                ::core::line!(),
            )
            .destructive(false);
        fn describe(d: &mut __mcp::Describe) {
            <Args<Booking> as __mcp::Unnamed<_>>::describe(d);
            <User as __mcp::Injected>::describe(d);
            <String as __mcp::Returned>::describe(d);
        }
        fn start(
            call: &__mcp::Call<'_>,
        ) -> __mcp::Result<__mcp::BoxFuture<'static, __mcp::Output>, __mcp::Faults> {
            let mut faults = __mcp::Call::faults(call, Self::SPEC);
            let (__mcp::Some(a0), __mcp::Some(a1)) = (
                <Args<Booking> as __mcp::Unnamed<_>>::take(call, &mut faults),
                <User as __mcp::Injected>::take(call, &mut faults),
            ) else {
                return __mcp::Err(faults);
            };
            __mcp::Faults::none(faults)?;
            __mcp::Ok(__mcp::run(book(a0, a1), <String as __mcp::Returned>::into_output))
        }
    }
};
