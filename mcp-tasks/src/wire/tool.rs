//! What every revision tells of a tool in the same words.

use super::write::Object;
use crate::model::tool::{Annotations, ToolDef};

/// `name`, `description` and `inputSchema`, with `title` where the revision has it.
pub(super) fn fields(object: &mut Object<'_>, tool: &ToolDef, title: Option<&str>) {
    object.text("name", &tool.name);
    object.optional_text("title", title);
    if !tool.description.is_empty() {
        object.text("description", &tool.description);
    }
    object.raw("inputSchema", tool.input_schema.get());
}

/// `annotations`, where there is one; `title` is for the revision that has it nowhere else.
pub(super) fn annotations(object: &mut Object<'_>, hints: Annotations, title: Option<&str>) {
    if title.is_none() && hints == Annotations::default() {
        return;
    }
    object.object("annotations", |annotations| {
        annotations.optional_text("title", title);
        let hints = [
            ("readOnlyHint", hints.read_only),
            ("destructiveHint", hints.destructive),
            ("idempotentHint", hints.idempotent),
            ("openWorldHint", hints.open_world),
        ];
        for (key, hint) in hints {
            if let Some(hint) = hint {
                annotations.bool(key, hint);
            }
        }
    });
}

/// `icons`, for revisions from 2025-11-25 on.
pub(super) fn icons(object: &mut Object<'_>, tool: &ToolDef) {
    if let Some(icons) = &tool.icons {
        object.raw("icons", icons.get());
    }
}

/// `_meta`, for revisions from 2025-06-18 on.
pub(super) fn meta(object: &mut Object<'_>, tool: &ToolDef) {
    if let Some(meta) = &tool.meta {
        object.raw("_meta", meta.get());
    }
}
