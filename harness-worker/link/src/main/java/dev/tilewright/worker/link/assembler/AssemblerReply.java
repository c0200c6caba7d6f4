package dev.tilewright.worker.link.assembler;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.tilewright.worker.link.Cubin;

/** A reply of the assembler child. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonSubTypes({
    @JsonSubTypes.Type(value = AssemblerReply.Ready.class, name = "ready"),
    @JsonSubTypes.Type(value = AssemblerReply.Unusable.class, name = "unusable"),
    @JsonSubTypes.Type(value = AssemblerReply.Assembled.class, name = "assembled"),
    @JsonSubTypes.Type(value = AssemblerReply.Refused.class, name = "refused"),
    @JsonSubTypes.Type(value = AssemblerReply.Unsupported.class, name = "unsupported")
})
public sealed interface AssemblerReply {

    /** The library is loaded; this is its version. */
    record Ready(String version) implements AssemblerReply {}

    /** The library cannot be used on this machine. */
    record Unusable(String reason) implements AssemblerReply {}

    /**
     * A cubin.
     *
     * @param log what the assembler said with {@code -v}: registers, spills, warnings
     */
    record Assembled(Cubin cubin, String log) implements AssemblerReply {}

    /** The text is wrong; the log says where. */
    record Refused(String log) implements AssemblerReply {}

    /** The text may be right, but this assembler does not know its target or its ISA version. */
    record Unsupported(String reason) implements AssemblerReply {}
}
