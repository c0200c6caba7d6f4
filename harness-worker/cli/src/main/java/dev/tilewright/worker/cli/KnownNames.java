package dev.tilewright.worker.cli;

import dev.tilewright.space.family.Families;
import dev.tilewright.space.family.Scheduler;
import java.util.Iterator;
import java.util.stream.Stream;

/** Names that users may give, for the help of an option and for completion. */
final class KnownNames {

    private KnownNames() {}

    /** Of kernel families. */
    static final class OfFamilies implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return Families.standard().names().iterator();
        }
    }

    /** Of tile schedulers; a family has some of them. */
    static final class OfSchedulers implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return Stream.of(Scheduler.values()).map(Scheduler::toString).iterator();
        }
    }
}
