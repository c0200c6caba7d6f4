package dev.tilewright.testing;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.AnnotationBasedArgumentsProvider;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.ArgumentsSource;
import org.junit.jupiter.params.support.ParameterDeclarations;

/** A test of rows of which a run takes a {@link Selection}: all of them would take minutes. */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@ParameterizedTest
@ArgumentsSource(DrawnRows.Provider.class)
public @interface DrawnRows {

    /** A row a line, with '|' between its columns. An empty column is null. */
    String of();

    /** The number of rows that a run takes. */
    int count();

    /** Selects the rows. */
    final class Provider extends AnnotationBasedArgumentsProvider<DrawnRows> {

        @Override
        protected Stream<? extends Arguments> provideArguments(
                ParameterDeclarations parameters, ExtensionContext context, DrawnRows rows) {
            List<String> all = rows.of()
                    .lines()
                    .map(String::strip)
                    .filter(row -> !row.isEmpty())
                    .toList();
            return Selection.of(all, rows.count()).stream()
                    .map(row -> Arguments.of(Arrays.stream(row.split("\\|", -1))
                            .map(String::strip)
                            .map(column -> column.isEmpty() ? null : column)
                            .toArray()));
        }
    }
}
