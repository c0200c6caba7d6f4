package dev.tilewright.launch.reader;

import java.io.IOException;

/** The source of the data files that a description names. */
@FunctionalInterface
public interface FileSource {

    /** For a description that comes without files. */
    FileSource NONE = name -> {
        throw new IOException("this description comes without its files");
    };

    /** @throws IOException if there is no such file, or it cannot be read */
    byte[] read(String name) throws IOException;
}
