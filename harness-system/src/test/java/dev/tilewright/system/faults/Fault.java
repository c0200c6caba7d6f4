package dev.tilewright.system.faults;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What befalls an installation in the middle of a sweep. */
sealed interface Fault {

    /** How long it lasts by itself: nobody can be done with a job earlier. */
    default Duration length() {
        return Duration.ZERO;
    }

    /** Whether it may cost attempts at all: those of the trials that were in flight. */
    default boolean mayCostAttempts() {
        return true;
    }

    /** Whether the service is gone and has to be started by somebody else. */
    default boolean endsTheService() {
        return switch (this) {
            case Kill kill -> kill.victims().contains(Victim.API);
            case ClockJump jump -> jump.killed().contains(Victim.API);
            case Stop _, FullDisk _ -> false;
        };
    }

    /** {@code kill -9} of these at once. Whoever keeps the service running starts it again. */
    record Kill(List<Victim> victims) implements Fault {

        private static final List<Kill> ALL = List.of(
                new Kill(List.of(Victim.API)),
                new Kill(List.of(Victim.WORKER)),
                new Kill(List.of(Victim.RUNNER)),
                new Kill(List.of(Victim.ASSEMBLER)),
                new Kill(List.of(Victim.POSTGRES)),
                new Kill(List.of(Victim.BACKEND)),
                new Kill(List.of(Victim.WORKER, Victim.RUNNER)),
                new Kill(List.of(Victim.API, Victim.POSTGRES)));

        /** Each in turn, in another order every time. */
        static Stream<Fault> drawn(RandomGenerator random) {
            return Stream.generate(() -> {
                        List<Fault> round = new ArrayList<>(ALL);
                        Collections.shuffle(round, random);
                        return round;
                    })
                    .flatMap(List::stream);
        }

        @Override
        public String toString() {
            return "kill -9 of " + victims.stream().map(Victim::toString).collect(Collectors.joining(" and "));
        }
    }

    /** {@code SIGSTOP}, and later {@code SIGCONT}. */
    record Stop(Victim victim, Duration length) implements Fault {
        @Override
        public String toString() {
            return "SIGSTOP of %s for %d s".formatted(victim, length.toSeconds());
        }
    }

    /** The disk of the home has no block left for a while. */
    record FullDisk(Duration length) implements Fault {
        @Override
        public boolean mayCostAttempts() {
            return false;
        }

        @Override
        public String toString() {
            return "full disk for %d s".formatted(length.toSeconds());
        }
    }

    /**
     * The clock of the machine leaps, and then these are killed: what they promised is dated by the time before.
     *
     * @param killed none, as a rule
     */
    record ClockJump(Duration by, List<Victim> killed) implements Fault {
        @Override
        public boolean mayCostAttempts() {
            return !killed.isEmpty();
        }

        @Override
        public String toString() {
            String jump = "clock jumps %+d s".formatted(by.toSeconds());
            return killed.isEmpty() ? jump : jump + ", then " + new Kill(killed);
        }
    }
}
