package dev.tilewright.gate.document;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Whether tuning again wins back what a case has lost: the kernels of its candidate are tuned for its problem, and the
 * fastest is timed beside the baseline as the candidate was. It says something of a verdict and never changes one.
 *
 * @param reason why, in one sentence
 * @param job that tunes it; {@code null} if none was needed, or before
 * @param kernel the fastest that was found, as a request takes it; {@code null} if none was found, or before
 * @param side what became of that kernel beside the baseline; {@code null} if they were not compared
 * @param effect of that kernel beside the baseline; {@code null} if nothing was timed
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Retune(
        State state,
        String reason,
        @Nullable UUID job,
        @Nullable GateKernel kernel,
        CaseResult.@Nullable Side side,
        @Nullable Effect effect) {

    /** The time that a search takes to be worth its name: kernel by kernel, each built, verified and timed. */
    public static final int LEAST_SECONDS = 20;

    /** A day. */
    public static final int MOST_SECONDS = 24 * 3600;

    /** One of which nothing is known but its state. */
    public static Retune of(State state, String reason) {
        return new Retune(state, reason, null, null, null, null);
    }

    /** The result of tuning again in words. If no job was needed, nothing was tuned. */
    public String words() {
        return state.isOver() && job == null
                ? "not tuned again"
                : "tuned again, " + state.toString().replace('_', ' ');
    }

    /** The same, further on. */
    public Retune to(State next, String why) {
        return new Retune(next, why, job, kernel, side, effect);
    }

    /** How far it is, or what came of it. Written in lower case. */
    public enum State {
        /** Others of the run are tuned first. */
        WAITING,
        /** A job looks for the fastest kernel. */
        TUNING,
        /** The fastest is timed beside the baseline. */
        COMPARING,
        /** The fastest is not slower than the baseline by the margin that fails, nor by the one that warns. */
        RECOVERED,
        /** The fastest that was found is still slower than that, or it is the candidate. */
        NOT_RECOVERED,
        /** It was not asked for, its budget did not suffice, or the blocks do not. */
        UNKNOWN,
        /** There is nothing to tune: the candidate is the only kernel that it can be. */
        IMPOSSIBLE;

        /** Whether it changes no more. */
        public boolean isOver() {
            return switch (this) {
                case WAITING, TUNING, COMPARING -> false;
                case RECOVERED, NOT_RECOVERED, UNKNOWN, IMPOSSIBLE -> true;
            };
        }

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
