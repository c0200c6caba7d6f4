package dev.tilewright.api.web.gate;

import dev.tilewright.api.platform.http.ApiProblem;
import dev.tilewright.api.platform.http.JsonText;
import dev.tilewright.gate.document.GateRequest;
import dev.tilewright.gate.document.GateSchedule.ScheduleRequest;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The form for a schedule of a gate. Texts, so that a wrong one comes back as it was typed.
 *
 * @param when one line, as {@link ScheduleRequest} has it
 * @param request what is run, as JSON
 */
public record ScheduleForm(@Nullable String when, @Nullable String request) {

    private static final String REQUEST = "/request";

    /**
     * The request to the service.
     *
     * @throws ApiProblem 422 if what is run is not JSON, or no run of a gate
     */
    ScheduleRequest read(JsonText json) {
        return new ScheduleRequest(
                Objects.requireNonNullElse(when, "").strip(),
                json.read(Objects.requireNonNullElse(request, ""), GateRequest.class, REQUEST));
    }

    /** A field in the words of the form, for a JSON pointer of the request. */
    static String field(String pointer) {
        if (pointer.equals("/when")) {
            return "Runs at";
        }
        if (!pointer.startsWith(REQUEST)) {
            return pointer;
        }
        return "What is run" + (pointer.equals(REQUEST) ? "" : ", at " + pointer.substring(REQUEST.length()));
    }
}
