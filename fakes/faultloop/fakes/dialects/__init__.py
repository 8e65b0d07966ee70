"""Provider dialects: a reply as bytes, whole and streamed."""
