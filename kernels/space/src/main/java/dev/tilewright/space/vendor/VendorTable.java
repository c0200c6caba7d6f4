package dev.tilewright.space.vendor;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.function.Function;
import java.util.stream.Stream;

/** The tables that are stored with the program. */
final class VendorTable {

    private VendorTable() {}

    static <T> T read(String resource, Function<Stream<String>, T> reader) {
        try (InputStream in = VendorTable.class.getResourceAsStream(resource)) {
            if (in == null) {
                throw new IllegalStateException(resource + " is missing");
            }
            return reader.apply(new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8)).lines());
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
