package dev.tilewright.api.study;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import dev.tilewright.model.space.ParameterValue;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** For each restricted parameter, the only values that may be tried; a JSON object. */
public record SpaceRestriction(Map<String, List<ParameterValue>> values) {

    public SpaceRestriction {
        values = Map.copyOf(values);
    }

    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    static SpaceRestriction of(Map<String, List<ParameterValue>> values) {
        return new SpaceRestriction(values);
    }

    /** In the order of names, so that equal restrictions have equal text. */
    @JsonValue
    Map<String, List<ParameterValue>> sorted() {
        return new TreeMap<>(values);
    }
}
