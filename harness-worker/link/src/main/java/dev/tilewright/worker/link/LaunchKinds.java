package dev.tilewright.worker.link;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.tilewright.launch.Expectation;
import dev.tilewright.launch.Fill;
import dev.tilewright.launch.KernelParameter;
import dev.tilewright.launch.Tolerance;
import tools.jackson.databind.module.SimpleModule;

/** Names the kinds of what a launch has: how a message is written is no concern of the language of launches. */
final class LaunchKinds extends SimpleModule {

    private static final long serialVersionUID = 1;

    LaunchKinds() {
        setMixInAnnotation(KernelParameter.class, Parameters.class);
        setMixInAnnotation(Fill.class, Fills.class);
        setMixInAnnotation(Expectation.class, Expectations.class);
        setMixInAnnotation(Tolerance.class, Tolerances.class);
    }

    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
    @JsonSubTypes({
        @JsonSubTypes.Type(value = KernelParameter.Scalar.class, name = "scalar"),
        @JsonSubTypes.Type(value = KernelParameter.Pointer.class, name = "pointer"),
        @JsonSubTypes.Type(value = KernelParameter.NullPointer.class, name = "nullPointer"),
        @JsonSubTypes.Type(value = KernelParameter.MapByValue.class, name = "map"),
        @JsonSubTypes.Type(value = KernelParameter.Raw.class, name = "raw"),
        @JsonSubTypes.Type(value = KernelParameter.Struct.class, name = "struct")
    })
    private interface Parameters {}

    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
    @JsonSubTypes({
        @JsonSubTypes.Type(value = Fill.Uninitialised.class, name = "uninitialised"),
        @JsonSubTypes.Type(value = Fill.Poison.class, name = "poison"),
        @JsonSubTypes.Type(value = Fill.Zeros.class, name = "zeros"),
        @JsonSubTypes.Type(value = Fill.Constant.class, name = "constant"),
        @JsonSubTypes.Type(value = Fill.Iota.class, name = "iota"),
        @JsonSubTypes.Type(value = Fill.Identity.class, name = "identity"),
        @JsonSubTypes.Type(value = Fill.Normal.class, name = "normal"),
        @JsonSubTypes.Type(value = Fill.Integers.class, name = "integers"),
        @JsonSubTypes.Type(value = Fill.LogUniform.class, name = "logUniform"),
        @JsonSubTypes.Type(value = Fill.Packed.class, name = "packed"),
        @JsonSubTypes.Type(value = Fill.Fields.class, name = "fields")
    })
    private interface Fills {}

    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
    @JsonSubTypes({
        @JsonSubTypes.Type(value = Expectation.Gemm.class, name = "gemm"),
        @JsonSubTypes.Type(value = Expectation.Content.class, name = "content"),
        @JsonSubTypes.Type(value = Expectation.Unchanged.class, name = "unchanged")
    })
    private interface Expectations {}

    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
    @JsonSubTypes({
        @JsonSubTypes.Type(value = Tolerance.Exact.class, name = "exact"),
        @JsonSubTypes.Type(value = Tolerance.Bound.class, name = "bound"),
        @JsonSubTypes.Type(value = Tolerance.Within.class, name = "within")
    })
    private interface Tolerances {}
}
