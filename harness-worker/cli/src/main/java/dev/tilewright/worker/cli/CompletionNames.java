package dev.tilewright.worker.cli;

import java.util.Iterator;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Names that users may give, for the help of an option and for completion; found when somebody asks for them. */
class CompletionNames implements Iterable<String> {

    private final Supplier<Stream<String>> names;

    CompletionNames(Supplier<Stream<String>> names) {
        this.names = names;
    }

    @Override
    public final Iterator<String> iterator() {
        return names.get().iterator();
    }
}
