package dev.tilewright.worker.link;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.tilewright.gemm.launch.Argument;
import dev.tilewright.gemm.launch.FilledBuffer;
import java.util.List;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.ValueSerializer;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;

/** How the records of a frame are written as JSON. */
final class FrameJson {

    /** Under this name the attachments of the frame at hand are found while it is written or read. */
    static final String ATTACHMENTS = "attachments";

    private FrameJson() {}

    static JsonMapper mapper() {
        SimpleModule blobs = new SimpleModule("blobs")
                .addSerializer(Blob.class, new BlobWriter())
                .addDeserializer(Blob.class, new BlobReader());
        return JsonMapper.builder()
                .addModule(blobs)
                .addMixIn(Argument.class, ArgumentTypes.class)
                .addMixIn(FilledBuffer.class, FilledTypes.class)
                .build();
    }

    /** Names the kinds of {@link Argument} here, because how a launch is written down is no concern of the kernels. */
    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
    @JsonSubTypes({
        @JsonSubTypes.Type(value = Argument.U32.class, name = "u32"),
        @JsonSubTypes.Type(value = Argument.F32.class, name = "f32"),
        @JsonSubTypes.Type(value = Argument.U64.class, name = "u64"),
        @JsonSubTypes.Type(value = Argument.Pointer.class, name = "pointer"),
        @JsonSubTypes.Type(value = Argument.TensorMap.class, name = "tensorMap")
    })
    private interface ArgumentTypes {}

    /** Likewise the kinds of {@link FilledBuffer}. */
    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
    @JsonSubTypes({
        @JsonSubTypes.Type(value = FilledBuffer.Words.class, name = "words"),
        @JsonSubTypes.Type(value = FilledBuffer.Maps.class, name = "maps")
    })
    private interface FilledTypes {}

    private static final class BlobWriter extends ValueSerializer<Blob> {
        @Override
        public void serialize(Blob blob, JsonGenerator generator, SerializationContext context) {
            @SuppressWarnings("unchecked")
            List<byte[]> attachments = (List<byte[]>) context.getAttribute(ATTACHMENTS);
            generator.writeNumber(attachments.size());
            attachments.add(blob.bytes());
        }
    }

    private static final class BlobReader extends ValueDeserializer<Blob> {
        @Override
        public Blob deserialize(JsonParser parser, DeserializationContext context) {
            List<?> attachments = (List<?>) context.getAttribute(ATTACHMENTS);
            int index = parser.getIntValue();
            if (index < 0 || index >= attachments.size()) {
                return context.reportInputMismatch(
                        Blob.class, "attachment %d of a frame that has %d", index, attachments.size());
            }
            return new Blob((byte[]) attachments.get(index));
        }
    }
}
