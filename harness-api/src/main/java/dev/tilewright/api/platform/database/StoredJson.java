package dev.tilewright.api.platform.database;

import com.fasterxml.jackson.annotation.JsonRawValue;
import com.fasterxml.jackson.annotation.JsonValue;

/** A document as it is stored, for an answer that has it as it is: nobody takes it apart on the way. */
public record StoredJson(String text) {

    @JsonValue
    @JsonRawValue
    String json() {
        return text;
    }
}
