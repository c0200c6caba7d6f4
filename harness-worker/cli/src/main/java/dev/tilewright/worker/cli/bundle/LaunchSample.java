package dev.tilewright.worker.cli.bundle;

import dev.tilewright.worker.cli.capture.LaunchedKernel;
import dev.tilewright.worker.cli.capture.LaunchedKernel.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;

/** A recorded launch of a variant. Arguments have the indices of the kernel's own parameters. */
record LaunchSample(TritonVariant variant, LaunchedKernel kernel, LaunchedKernel.Launch launch) {

    String name(int argument) {
        return kernel.arguments().get(argument).name();
    }

    /**
     * By which names of strides refer to a tensor: the first letter of its name, such as {@code a} of {@code a_ptr}.
     */
    String letter(int argument) {
        return name(argument).substring(0, 1).toLowerCase(Locale.ROOT);
    }

    /**
     * The tensor that an argument points to; empty if it is a number. Rows of several dimensions that follow each other
     * evenly, such as batches of sequences, are rows of one.
     */
    Optional<Value.Tensor> tensor(int argument) {
        if (!(launch.values().get(argument) instanceof Value.Tensor tensor)) {
            return Optional.empty();
        }
        List<Long> shape = new ArrayList<>(tensor.shape());
        List<Long> strides = new ArrayList<>(tensor.strides());
        while (shape.size() > 2 && strides.get(0) == strides.get(1) * shape.get(1)) {
            shape.set(1, shape.get(0) * shape.get(1));
            shape.removeFirst();
            strides.removeFirst();
        }
        return Optional.of(new Value.Tensor(shape, strides));
    }

    /** The number that an argument is, as it is written; empty if it is a tensor. */
    Optional<String> written(int argument) {
        return launch.values().get(argument) instanceof Value.Scalar(String written)
                ? Optional.of(written)
                : Optional.empty();
    }

    OptionalLong number(int argument) {
        return written(argument).map(LaunchSample::whole).orElse(OptionalLong.empty());
    }

    OptionalLong constexpr(String name) {
        return Optional.ofNullable(kernel.constexprs().get(name))
                .map(LaunchSample::whole)
                .orElse(OptionalLong.empty());
    }

    /** Extents of a matrix; empty if the argument is none. */
    Optional<List<Long>> matrix(int argument) {
        return tensor(argument).map(Value.Tensor::shape).filter(shape -> shape.size() == 2);
    }

    private static OptionalLong whole(String written) {
        return written.matches("-?[0-9]{1,18}") ? OptionalLong.of(Long.parseLong(written)) : OptionalLong.empty();
    }
}
