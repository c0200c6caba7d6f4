package dev.tilewright.worker.cli.capture;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A variant of a kernel of Triton, with the launches that a recording saw of it.
 *
 * @param name of the function
 * @param hash of its entry in Triton's cache
 * @param warps of a CTA
 * @param constexprs values of {@code tl.constexpr} by name
 * @param specialised arguments that Triton compiled into the kernel, because they were 1 or None
 * @param arguments that a launch passes, in the kernel's order
 * @param launches distinct ones, at least one
 * @param more how many launches had further grids or arguments
 */
public record LaunchedKernel(
        String name,
        String hash,
        int warps,
        Map<String, String> constexprs,
        Map<String, String> specialised,
        List<Argument> arguments,
        List<Launch> launches,
        long more) {

    /** @param type as Triton writes it, such as {@code *fp16} of a pointer or {@code i32} */
    public record Argument(String name, String type) {}

    /**
     * Launches that are alike.
     *
     * @param grid CTAs along x, y and z: one to three numbers
     * @param count how many of them the program made itself
     * @param trials trials of an autotuner that launched this
     * @param values of the arguments, as many as there are
     */
    public record Launch(List<Long> grid, long count, long trials, List<Value> values) {
        public Launch {
            grid = List.copyOf(grid);
            values = List.copyOf(values);
        }
    }

    /** The value of an argument. */
    public sealed interface Value {
        /**
         * A tensor behind a pointer.
         *
         * @param shape extents
         * @param strides in elements, as many as there are extents
         */
        record Tensor(List<Long> shape, List<Long> strides) implements Value {
            public Tensor {
                shape = List.copyOf(shape);
                strides = List.copyOf(strides);
            }
        }

        /** A number, a word, {@code true} or {@code null}, as JSON writes it. */
        record Scalar(String written) implements Value {}
    }

    public LaunchedKernel {
        constexprs = Collections.unmodifiableMap(new LinkedHashMap<>(constexprs));
        specialised = Collections.unmodifiableMap(new LinkedHashMap<>(specialised));
        arguments = List.copyOf(arguments);
        launches = List.copyOf(launches);
    }

    /** Launches of the program itself, those with further arguments included. */
    public long count() {
        return more + launches.stream().mapToLong(Launch::count).sum();
    }
}
