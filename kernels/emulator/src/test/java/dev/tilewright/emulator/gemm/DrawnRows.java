package dev.tilewright.emulator.gemm;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.AnnotationBasedArgumentsProvider;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.ArgumentsSource;
import org.junit.jupiter.params.support.ParameterDeclarations;

/**
 * A test of rows of which each run of all tests draws some: all of them would take minutes. A run with {@code --full}
 * takes every row. A failing test names its row; {@code -Dtest.arguments=-Drows.seed=N} draws the same rows again.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@ParameterizedTest
@ArgumentsSource(DrawnRows.Provider.class)
public @interface DrawnRows {

    /** A row a line, with '|' between its columns. An empty column is null. */
    String of();

    /** How many are drawn. */
    int count();

    /** Draws the rows. */
    final class Provider extends AnnotationBasedArgumentsProvider<DrawnRows> {

        @Override
        protected Stream<? extends Arguments> provideArguments(
                ParameterDeclarations parameters, ExtensionContext context, DrawnRows rows) {
            List<String> all = rows.of()
                    .lines()
                    .map(String::strip)
                    .filter(row -> !row.isEmpty())
                    .toList();
            return drawn(all, rows.count())
                    .map(row -> Arguments.of(Arrays.stream(row.split("\\|", -1))
                            .map(String::strip)
                            .map(column -> column.isEmpty() ? null : column)
                            .toArray()));
        }

        /** Some of a list, in its order; all of it with {@code --full}. */
        public static <T> Stream<T> drawn(List<T> all, int count) {
            if (!System.getProperty("excluded.test.groups", "full").contains("full")) {
                return all.stream();
            }
            List<Integer> places = new ArrayList<>();
            for (int i = 0; i < all.size(); i++) {
                places.add(i);
            }
            Collections.shuffle(places, new Random(Long.getLong("rows.seed", new SecureRandom().nextLong())));
            return places.stream().limit(count).sorted().map(all::get);
        }
    }
}
