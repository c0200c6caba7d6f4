package dev.tilewright.worker.gpu.cuda;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;

/**
 * Keeps native libraries from printing into a standard output that carries messages: what they print goes to standard
 * error.
 */
public final class NativeStdout {

    private static final int STDOUT = 1;
    private static final int STDERR = 2;
    private static final Path DESCRIPTORS = Path.of("/proc/self/fd");

    private NativeStdout() {}

    /**
     * Takes standard output for oneself. From now on file descriptor 1 is another name of standard error, for Java and
     * for C alike.
     *
     * @return what standard output was
     * @throws IOException if the descriptors cannot be changed
     */
    public static OutputStream claim() throws IOException {
        int kept = call("dup", JAVA_INT).invoke(STDOUT);
        if (kept < 0) {
            throw new IOException("standard output cannot be duplicated");
        }
        OutputStream claimed =
                new FileOutputStream(DESCRIPTORS.resolve(Integer.toString(kept)).toString());
        if (call("dup2", JAVA_INT, JAVA_INT).invoke(STDERR, STDOUT) < 0) {
            claimed.close();
            throw new IOException("standard output cannot be turned into standard error");
        }
        return claimed;
    }

    @SuppressWarnings("restricted")
    private static NativeCall call(String function, ValueLayout... parameters) {
        Linker linker = Linker.nativeLinker();
        return new NativeCall(
                function,
                linker.downcallHandle(
                        linker.defaultLookup().findOrThrow(function), FunctionDescriptor.of(JAVA_INT, parameters)));
    }
}
