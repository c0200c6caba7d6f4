package dev.tilewright.worker.link.process;

import dev.tilewright.worker.link.text.PlainStreams;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Function;

/** A process that a worker starts: its main class takes what it serves, and the number of its parent. */
public final class Child {

    /** Exit code after a fault of our own: also what a child without its parent ends with. */
    private static final int FAULT = 4;

    private Child() {}

    /** The arguments of a child of this process. */
    static List<String> arguments(String served) {
        return List.of(served, Long.toString(ProcessHandle.current().pid()));
    }

    /**
     * Serves until there is no more to do, and exits. A child may be stuck in a native call when its parent dies, and
     * then it does not see the end of its input: it ends with its parent, without waiting for anything.
     *
     * @param arguments what is served, and the number of the parent
     * @param service from what is served to what answers with the exit code
     */
    public static void run(String[] arguments, Function<String, Callable<Integer>> service) {
        PlainStreams.install();
        if (arguments.length != 2) {
            System.err.println(
                    "tilewright: a child takes what it serves and the number of its parent, got " + List.of(arguments));
            System.exit(FAULT);
        }
        System.exit(served(arguments, service));
    }

    private static int served(String[] arguments, Function<String, Callable<Integer>> service) {
        try {
            ParentWatch.onExit(
                    Long.parseLong(arguments[1]), () -> Runtime.getRuntime().halt(FAULT));
            return service.apply(arguments[0]).call();
        } catch (Exception | OutOfMemoryError | StackOverflowError failed) {
            System.err.println("tilewright: " + failed);
            if ("1".equals(System.getenv("TILEWRIGHT_DEBUG"))) {
                failed.printStackTrace();
            }
            return FAULT;
        }
    }
}
