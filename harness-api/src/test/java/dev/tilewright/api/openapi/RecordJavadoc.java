package dev.tilewright.api.openapi;

import static java.util.stream.Collectors.toMap;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.github.therapi.runtimejavadoc.Comment;
import com.github.therapi.runtimejavadoc.CommentVisitor;
import com.github.therapi.runtimejavadoc.Link;
import com.github.therapi.runtimejavadoc.ParamJavadoc;
import com.github.therapi.runtimejavadoc.RuntimeJavadoc;
import com.github.therapi.runtimejavadoc.Value;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.HashMap;
import java.util.Map;
import org.springdoc.core.providers.SpringDocJavadocProvider;

/**
 * The Javadoc of records, as plain text: the words of the schemas and their properties. Operations have theirs in
 * annotations, beside what else is said of them there; the Javadoc of a controller is for who reads its code.
 */
final class RecordJavadoc extends SpringDocJavadocProvider {

    @Override
    public String getClassJavadoc(Class<?> type) {
        return type.isRecord() ? plain(RuntimeJavadoc.getJavadoc(type).getComment()) : "";
    }

    /** By the names that the components have in JSON. */
    @Override
    public Map<String, String> getRecordClassParamJavadoc(Class<?> type) {
        if (!type.isRecord()) {
            return Map.of();
        }
        Map<String, String> words = RuntimeJavadoc.getJavadoc(type).getRecordComponents().stream()
                .collect(toMap(ParamJavadoc::getName, component -> plain(component.getComment())));
        Map<String, String> inJson = new HashMap<>();
        for (RecordComponent component : type.getRecordComponents()) {
            if (component.getAccessor().isAnnotationPresent(JsonUnwrapped.class)) {
                inJson.putAll(getRecordClassParamJavadoc(component.getType()));
            } else if (words.containsKey(component.getName())) {
                inJson.put(inJson(component), words.get(component.getName()));
            }
        }
        return inJson;
    }

    private static String inJson(RecordComponent component) {
        JsonProperty property = component.getAccessor().getAnnotation(JsonProperty.class);
        return property == null || property.value().isEmpty() ? component.getName() : property.value();
    }

    @Override
    public String getMethodJavadocDescription(Method method) {
        return "";
    }

    @Override
    public String getMethodJavadocReturn(Method method) {
        return "";
    }

    @Override
    public Map<String, String> getMethodJavadocThrows(Method method) {
        return Map.of();
    }

    static String plain(Comment comment) {
        PlainText text = new PlainText(new StringBuilder());
        comment.visit(text);
        return text.said()
                .toString()
                .replaceAll("</?[a-z]+>", " ")
                .replaceAll("\\s+", " ")
                .strip();
    }

    /** A tag is its words, a link the last name in it, which is that of a schema, and a constant its value. */
    private record PlainText(StringBuilder said) implements CommentVisitor {

        @Override
        public void commentText(String text) {
            said.append(text);
        }

        @Override
        public void inlineLink(Link link) {
            said.append(link.getLabel().replaceFirst("^[\\w.]*[.#](?=\\w+$)", ""));
        }

        @Override
        public void inlineTag(String name, String value) {
            said.append(value);
        }

        @Override
        public void inlineValue(Value constant) {
            try {
                Field field = Class.forName(constant.getReferencedClassName())
                        .getDeclaredField(constant.getReferencedMemberName());
                field.setAccessible(true);
                said.append(field.get(null));
            } catch (ReflectiveOperationException unknown) {
                throw new IllegalStateException("Javadoc tells the value of " + constant, unknown);
            }
        }
    }
}
