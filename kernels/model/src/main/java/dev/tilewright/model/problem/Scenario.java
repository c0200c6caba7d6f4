package dev.tilewright.model.problem;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonInclude;

/**
 * What else the GPU is doing while the kernel runs.
 *
 * @param busySms how many SMs are held by somebody else for the whole run
 * @param launchOverlap whether each launch may start before the one ahead of it has ended (programmatic dependent
 *     launch): a question of its own, whose figures are compared with those of the same scenario alone
 */
public record Scenario(
        int busySms, @JsonInclude(JsonInclude.Include.NON_DEFAULT) boolean launchOverlap) {

    /** The kernel has the GPU to itself, and starts when the one before it has ended. */
    public static final Scenario QUIET = new Scenario(0);

    public Scenario {
        if (busySms < 0) {
            throw new IllegalArgumentException("busySms must be at least 0, got " + busySms);
        }
    }

    /** Launches follow each other. */
    @JsonCreator(mode = JsonCreator.Mode.DISABLED)
    public Scenario(int busySms) {
        this(busySms, false);
    }

    /** The same with launches that overlap. */
    public Scenario overlapping() {
        return new Scenario(busySms, true);
    }
}
