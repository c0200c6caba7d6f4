package dev.tilewright.testing;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Optional;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.params.provider.AnnotationBasedArgumentsProvider;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.support.ParameterDeclaration;
import org.junit.jupiter.params.support.ParameterDeclarations;

/** Draws the rows of {@link Draws}. */
final class DrawnArguments extends AnnotationBasedArgumentsProvider<Draws> {

    @Override
    protected Stream<? extends Arguments> provideArguments(
            ParameterDeclarations parameters, ExtensionContext context, Draws draws) {
        Class<?> test = context.getRequiredTestClass();
        long first = (long) context.getRequiredTestMethod().getName().hashCode() << 20;
        return Selection.given()
                .map(LongStream::of)
                .orElseGet(() -> LongStream.range(0, Selection.isFull() ? 10L * draws.value() : draws.value())
                        .map(row -> first + row))
                .mapToObj(seed -> row(test, parameters, seed));
    }

    private static Arguments row(Class<?> test, ParameterDeclarations parameters, long seed) {
        Draw draw = new Draw(seed);
        Object[] values = parameters.getAll().stream()
                .map(parameter -> value(test, parameter, draw))
                .toArray();
        return Arguments.argumentSet("seed " + seed, values);
    }

    private static Object value(Class<?> test, ParameterDeclaration parameter, Draw draw) {
        Optional<From> from =
                Optional.ofNullable(parameter.getAnnotatedElement().getAnnotation(From.class));
        if (from.isPresent()) {
            return drawnBy(test, from.get().value(), draw);
        }
        Class<?> type = parameter.getParameterType();
        Optional<Between> between =
                Optional.ofNullable(parameter.getAnnotatedElement().getAnnotation(Between.class));
        double min = between.map(Between::min).orElse(Double.NaN);
        double max = between.map(Between::max).orElse(Double.NaN);
        if (type.isEnum()) {
            return draw.of(type.getEnumConstants());
        }
        return switch (type.getName()) {
            case "boolean" -> draw.either();
            case "int" ->
                between.isPresent()
                        ? draw.between((int) min, (int) max)
                        : draw.between(Integer.MIN_VALUE, Integer.MAX_VALUE);
            case "long" -> between.isPresent() ? draw.between((long) min, (long) max) : draw.anyLong();
            case "float" -> draw.anyFloat();
            case "double" -> between.isPresent() ? draw.between(min, max) : draw.anyDouble();
            default ->
                throw new IllegalArgumentException(
                        "a drawn parameter of " + type.getName() + " needs @From, in " + test);
        };
    }

    private static Object drawnBy(Class<?> test, String name, Draw draw) {
        try {
            Method method = test.getDeclaredMethod(name, Draw.class);
            method.setAccessible(true);
            return method.invoke(null, draw);
        } catch (InvocationTargetException failed) {
            throw new IllegalStateException("the draw " + name + " of " + test + " failed", failed.getCause());
        } catch (ReflectiveOperationException failed) {
            throw new IllegalArgumentException(test + " needs 'static T " + name + "(Draw)'", failed);
        }
    }
}
