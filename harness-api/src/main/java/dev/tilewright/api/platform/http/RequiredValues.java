package dev.tilewright.api.platform.http;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.core.MethodParameter;
import org.springframework.http.HttpInputMessage;
import org.springframework.http.converter.HttpMessageConverter;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.servlet.mvc.method.annotation.RequestBodyAdviceAdapter;

/**
 * Refuses a body in which a component of a record is missing that is not declared {@link Nullable}, a text has a
 * character that the database does not take, or a number is none: {@code 1e400} and {@code "NaN"} are read as doubles.
 */
@RestControllerAdvice
final class RequiredValues extends RequestBodyAdviceAdapter {

    @Override
    public boolean supports(
            MethodParameter parameter, Type target, Class<? extends HttpMessageConverter<?>> converter) {
        return true;
    }

    @Override
    public Object afterBodyRead(
            Object body,
            HttpInputMessage message,
            MethodParameter parameter,
            Type target,
            Class<? extends HttpMessageConverter<?>> converter) {
        ApiProblem.requireNone(faults(body));
        return body;
    }

    /** Everything that a value misses, or should not have. */
    static List<Fault> faults(@Nullable Object value) {
        List<Fault> faults = new ArrayList<>();
        visit(value, "", faults);
        return faults;
    }

    private static void visit(@Nullable Object value, String pointer, List<Fault> faults) {
        switch (value) {
            case null -> faults.add(new Fault(pointer, "is required"));
            case Record ours -> components(ours, pointer, faults);
            case String text -> {
                if (text.indexOf('\0') >= 0) {
                    faults.add(new Fault(pointer, "must not have the character U+0000"));
                }
                if (!StandardCharsets.UTF_8.newEncoder().canEncode(text)) {
                    faults.add(new Fault(pointer, "must be Unicode, got half of a surrogate pair"));
                }
            }
            case Double number -> {
                if (!Double.isFinite(number)) {
                    faults.add(new Fault(pointer, "must be a finite number, got " + number));
                }
            }
            case List<?> list -> {
                for (int i = 0; i < list.size(); i++) {
                    visit(list.get(i), pointer + "/" + i, faults);
                }
            }
            case Map<?, ?> map ->
                map.forEach((key, element) -> {
                    visit(key, pointer + "/" + key, faults);
                    visit(element, pointer + "/" + key, faults);
                });
            default -> {}
        }
    }

    private static void components(Record ours, String pointer, List<Fault> faults) {
        for (RecordComponent component : ours.getClass().getRecordComponents()) {
            AnnotatedType type = component.getAnnotatedType();
            Object value = read(ours, component);
            if (value != null || !type.isAnnotationPresent(Nullable.class)) {
                visit(value, pointer + "/" + name(component), faults);
            }
        }
    }

    /** As JSON has it: some of our names are none of Java. */
    private static String name(RecordComponent component) {
        JsonProperty property = component.getAccessor().getAnnotation(JsonProperty.class);
        return property == null || property.value().isEmpty() ? component.getName() : property.value();
    }

    private static @Nullable Object read(Record ours, RecordComponent component) {
        try {
            component.getAccessor().setAccessible(true);
            return component.getAccessor().invoke(ours);
        } catch (IllegalAccessException | InvocationTargetException e) {
            throw new IllegalStateException("cannot read " + component + " of a request", e);
        }
    }
}
