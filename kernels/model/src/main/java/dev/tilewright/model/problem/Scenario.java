package dev.tilewright.model.problem;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The other work of the GPU while the kernel runs.
 *
 * @param busySms how many SMs are held by somebody else for the whole run
 * @param launchOverlap whether each launch may start before the one ahead of it has ended (programmatic dependent
 *     launch): a question of its own, whose figures are compared with those of the same scenario alone
 */
public record Scenario(
        int busySms,
        @JsonInclude(JsonInclude.Include.NON_DEFAULT) boolean launchOverlap) {

    /** The kernel has the GPU to itself, and starts when the one before it has ended. */
    public static final Scenario QUIET = new Scenario(0);

    public Scenario {
        if (busySms < 0) {
            throw new IllegalArgumentException("busySms must be at least 0, got " + busySms);
        }
    }

    /** Launches follow each other. */
    public Scenario(int busySms) {
        this(busySms, false);
    }

    /** As a document says it, which may leave out what is not so. */
    @JsonCreator
    public static Scenario of(
            @JsonProperty("busySms") @Nullable Integer busySms,
            @JsonProperty("launchOverlap") @Nullable Boolean launchOverlap) {
        return new Scenario(Objects.requireNonNullElse(busySms, 0), Objects.requireNonNullElse(launchOverlap, false));
    }

    /** The same with no SM held. */
    public Scenario withAllSms() {
        return new Scenario(0, launchOverlap);
    }

    /** The same with launches that overlap. */
    public Scenario overlapping() {
        return new Scenario(busySms, true);
    }
}
