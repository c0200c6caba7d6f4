package dev.tilewright.worker.link;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.tilewright.gemm.launch.Argument;
import dev.tilewright.gemm.launch.FilledBuffer;
import tools.jackson.databind.module.SimpleModule;

/** Names the kinds of what a launch has: how a launch is written down is no concern of the kernels. */
final class LaunchKinds extends SimpleModule {

    private static final long serialVersionUID = 1;

    LaunchKinds() {
        setMixInAnnotation(Argument.class, Arguments.class);
        setMixInAnnotation(FilledBuffer.class, FilledBuffers.class);
    }

    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
    @JsonSubTypes({
        @JsonSubTypes.Type(value = Argument.U32.class, name = "u32"),
        @JsonSubTypes.Type(value = Argument.F32.class, name = "f32"),
        @JsonSubTypes.Type(value = Argument.U64.class, name = "u64"),
        @JsonSubTypes.Type(value = Argument.Pointer.class, name = "pointer"),
        @JsonSubTypes.Type(value = Argument.TensorMap.class, name = "tensorMap")
    })
    private interface Arguments {}

    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
    @JsonSubTypes({
        @JsonSubTypes.Type(value = FilledBuffer.Words.class, name = "words"),
        @JsonSubTypes.Type(value = FilledBuffer.Maps.class, name = "maps")
    })
    private interface FilledBuffers {}
}
