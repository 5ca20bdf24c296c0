package dev.tidemark.query.json;

/** JSON's null, inside lists and maps. */
enum JsonNull {
    NULL
}
