package dev.tilewright.gemm.param;

import dev.tilewright.gemm.launch.Argument;
import dev.tilewright.gemm.launch.BufferDemand;
import dev.tilewright.gemm.launch.BufferRole;
import dev.tilewright.gemm.launch.FilledBuffer;
import dev.tilewright.gemm.launch.FloatRole;
import dev.tilewright.ptx.Param;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import java.util.function.ToLongFunction;

/**
 * The parameters of a kernel, each with what a launch passes for it. The part of a kernel that needs a parameter
 * declares both at once, so that their orders cannot differ.
 *
 * @param <F> facts that a launch knows
 */
public final class BoundParams<F> {

    /** A buffer is passed by its start. */
    private static final long START = 0;

    private final List<Param> params = new ArrayList<>();
    private final List<Function<F, Argument>> arguments = new ArrayList<>();
    private final List<Function<F, BufferDemand>> buffers = new ArrayList<>();
    private final List<Function<F, FilledBuffer>> filled = new ArrayList<>();

    /** A 32-bit number. */
    public Param u32(String name, ToIntFunction<F> value) {
        return bind(name, Param.Kind.U32, facts -> new Argument.U32(value.applyAsInt(facts)));
    }

    /** A float, whose value a caller of the launch may replace by its role. */
    public Param f32(String name, FloatRole role, float value) {
        return bind(name, Param.Kind.F32, _ -> new Argument.F32(role, value));
    }

    /** A tensor map by value. */
    public Param tensorMap(String name, Function<F, Argument.TensorMap> map) {
        return bind(name, Param.Kind.TENSOR_MAP, map::apply);
    }

    /** A pointer to a buffer that the launch provides. */
    public Param buffer(String name, BufferRole role, BufferDemand.Zero zero, ToLongFunction<F> bytes) {
        buffers.add(facts -> new BufferDemand(role, bytes.applyAsLong(facts), zero));
        return pointer(name, role);
    }

    /** A pointer to 32-bit words that the launch writes. */
    public Param words(String name, BufferRole role, Function<F, List<Integer>> words) {
        filled.add(facts -> new FilledBuffer.Words(role, words.apply(facts)));
        return pointer(name, role);
    }

    /** A pointer to tensor maps that the launch writes. */
    public Param tensorMaps(String name, BufferRole role, Function<F, List<Argument.TensorMap>> maps) {
        filled.add(facts -> new FilledBuffer.Maps(role, maps.apply(facts)));
        return pointer(name, role);
    }

    /** A pointer to what is said of the outputs of several GEMMs, which the launch writes. */
    public Param outputs(String name, Function<F, FilledBuffer.Outputs> outputs) {
        filled.add(outputs::apply);
        return pointer(name, BufferRole.OUTPUTS);
    }

    /** A pointer to the start of what the problem gives the launch. */
    public Param operand(String name, BufferRole role) {
        return pointer(name, role);
    }

    private Param pointer(String name, BufferRole role) {
        return bind(name, Param.Kind.POINTER, _ -> new Argument.Pointer(role, START));
    }

    private Param bind(String name, Param.Kind kind, Function<F, Argument> argument) {
        Param param = new Param(name, kind);
        params.add(param);
        arguments.add(argument);
        return param;
    }

    /** All parameters, in the order in which they were declared. */
    public List<Param> params() {
        return List.copyOf(params);
    }

    /** The arguments of a launch, in the order of the parameters. */
    public List<Argument> arguments(F facts) {
        return arguments.stream().map(bound -> bound.apply(facts)).toList();
    }

    /** Buffers that a launch provides, in the order in which their pointers were declared. */
    public List<BufferDemand> buffers(F facts) {
        return buffers.stream().map(bound -> bound.apply(facts)).toList();
    }

    /** Buffers that a launch writes, in the order in which their pointers were declared. */
    public List<FilledBuffer> filled(F facts) {
        return filled.stream().map(bound -> bound.apply(facts)).toList();
    }
}
