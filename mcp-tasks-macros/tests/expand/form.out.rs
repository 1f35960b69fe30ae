const _: () = {
    #[automatically_derived]
    impl ::mcp_tasks::__private::ElicitForm for Booking {
        #[allow(unused_variables)]
        fn fields(
            pass: &mut ::mcp_tasks::__private::FormPass,
        ) -> ::core::option::Option<Self> {
            let field_0 = <String as ::mcp_tasks::__private::FormField>::visit(
                pass,
                "name",
                {
                    let default: String = ::mcp_tasks::__private::FromText::from_text(
                        "nobody",
                    );
                    ::core::option::Option::Some(default)
                },
                |f| {
                    let f = ::mcp_tasks::__private::Field::description(
                        f,
                        "On whose name",
                    );
                    let f = ::mcp_tasks::__private::Textual::max_len(f, 40);
                    f
                },
            );
            let field_1 = <Option<
                u8,
            > as ::mcp_tasks::__private::FormField>::visit(
                pass,
                "seats",
                ::core::option::Option::None,
                |f| {
                    let f = ::mcp_tasks::__private::Ranged::min(f, 1);
                    f
                },
            );
            ::core::option::Option::Some(Self {
                name: field_0?,
                seats: field_1?,
            })
        }
    }
};
