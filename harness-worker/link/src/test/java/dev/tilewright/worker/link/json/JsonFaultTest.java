package dev.tilewright.worker.link.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.core.JacksonException;

class JsonFaultTest {

    record Study(int trials) {}

    record Result(List<Study> studies) {}

    private static String reason(String text) {
        return JsonFault.reason(
                catchThrowableOfType(JacksonException.class, () -> Json.mapper().readValue(text, Result.class)));
    }

    /** The parser says "Unexpected character ('x' (code 120)): Expected space separating root-level values". */
    @Test
    void noTokenAndNoClassIsInAReason() {
        assertThat(reason("x")).matches("is no JSON from line 1, column [0-9]+ on");
        assertThat(reason("{\n\"studies\": [{\"trials\": \"many\"}]}"))
                .startsWith("studies[0].trials is missing or is of another kind than expected, line 2, column ");
    }
}
