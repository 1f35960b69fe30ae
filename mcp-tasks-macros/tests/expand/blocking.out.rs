#[allow(clippy::needless_pass_by_value)]
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
    #[automatically_derived]
    impl ::renamed::__private::Tool for hash {
        const SPEC: &'static ::renamed::__private::ToolSpec = &::renamed::__private::ToolSpec::new(
                "hash",
                "Hashes.",
                &[],
                ::core::file!(),
                ::core::line!(),
            )
            .blocking();
        fn describe(d: &mut ::renamed::__private::Describe) {
            <Args<Input> as ::renamed::__private::Unnamed<_>>::describe(d);
            <User as ::renamed::__private::Injected>::describe(d);
            <u64 as ::renamed::__private::Returned>::describe(d);
        }
        fn start(
            call: &::renamed::__private::Call<'_>,
        ) -> ::core::result::Result<
            ::renamed::__private::BoxFuture<'static, ::renamed::__private::Output>,
            ::renamed::__private::Faults,
        > {
            let mut faults = ::renamed::__private::Call::faults(call, Self::SPEC);
            let (::core::option::Option::Some(a0), ::core::option::Option::Some(a1)) = (
                <Args<
                    Input,
                > as ::renamed::__private::Unnamed<_>>::take(call, &mut faults),
                <User as ::renamed::__private::Injected>::take(call, &mut faults),
            ) else {
                return ::core::result::Result::Err(faults);
            };
            ::renamed::__private::Faults::none(faults)?;
            ::core::result::Result::Ok(
                ::renamed::__private::run_blocking(
                    call,
                    move || hash(a0, a1),
                    <u64 as ::renamed::__private::Returned>::into_output,
                ),
            )
        }
    }
};
