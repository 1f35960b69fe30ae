#[allow(
    clippy::missing_errors_doc,
    clippy::missing_panics_doc,
    clippy::needless_pass_by_value
)]
/// Hashes.
fn hash(Args(input): Args<Input>, user: User) -> u64 {
    input.hash(user)
}
#[doc(hidden)]
#[allow(
    missing_copy_implementations,
    missing_debug_implementations,
    non_camel_case_types,
    unreachable_pub
)]
struct hash {}
#[allow(deprecated, clippy::all, clippy::pedantic)]
const _: () = {
    use ::renamed::__private as __mcp;
    #[automatically_derived]
    impl __mcp::Tool for hash {
        const SPEC: &'static __mcp::ToolSpec = &__mcp::ToolSpec::new(
                "hash",
                "Hashes.",
                &[],
                ::core::file!(),
                ::core::line!(),
            )
            .blocking();
        fn describe(d: &mut __mcp::Describe) {
            <Args<Input> as __mcp::Unnamed<_>>::describe(d);
            <User as __mcp::Injected>::describe(d);
            <u64 as __mcp::Returned>::describe(d);
        }
        fn start(
            call: &__mcp::Call<'_>,
        ) -> __mcp::Result<__mcp::BoxFuture<'static, __mcp::Output>, __mcp::Faults> {
            let mut faults = __mcp::Call::faults(call, Self::SPEC);
            let (__mcp::Some(a0), __mcp::Some(a1)) = (
                <Args<Input> as __mcp::Unnamed<_>>::take(call, &mut faults),
                <User as __mcp::Injected>::take(call, &mut faults),
            ) else {
                return __mcp::Err(faults);
            };
            __mcp::Faults::none(faults)?;
            __mcp::Ok(
                __mcp::run_blocking(
                    call,
                    move || hash(a0, a1),
                    <u64 as __mcp::Returned>::into_output,
                ),
            )
        }
    }
};
