package dev.tilewright.api.job;

import dev.tilewright.api.platform.http.ApiProblem;
import dev.tilewright.model.exchange.DeviceSelector;
import dev.tilewright.model.exchange.StudyState;
import org.jspecify.annotations.Nullable;

/**
 * A filter and an order of jobs.
 *
 * @param state {@code null} for all
 * @param name a part of their names, whatever the case of its letters; {@code null} for all
 * @param device what they were submitted for, as it is stored; {@code null} for all
 * @param submittedBy name of the token; {@code null} for all
 */
public record JobQuery(
        @Nullable StudyState state,
        @Nullable String name,
        @Nullable String device,
        @Nullable String submittedBy,
        JobOrder order) {

    /** All, newest first. */
    public static final JobQuery ALL = new JobQuery(null, null, null, null, JobOrder.NEWEST);

    /**
     * Reads what a user wrote; {@code null} asks for all.
     *
     * @throws ApiProblem 422 naming the parameter, its value and the rule
     */
    public static JobQuery read(
            @Nullable String state,
            @Nullable String name,
            @Nullable String device,
            @Nullable String submittedBy,
            String sort) {
        return new JobQuery(
                state == null ? null : ApiProblem.oneOf("state", state, StudyState.values()),
                name,
                device == null
                        ? null
                        : ApiProblem.read("device", device, DeviceSelector::parse)
                                .toString(),
                submittedBy,
                ApiProblem.oneOf("sort", sort, JobOrder.values()));
    }
}
