package dev.tilewright.testing;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ArgumentsSource;

/**
 * A property: a test that runs once for each row of drawn values. A parameter is a {@code boolean}, an {@code int}, a
 * {@code long}, a {@code float}, a {@code double} or an enum, of a range that {@link Between} says, or has a method
 * that draws it ({@link From}). Each run draws the same rows; a run with {@code --full} draws ten times as many.
 *
 * <p>The name of a row is its seed. {@code -Dtest.arguments=-Ddraws.seed=N} draws the row of that seed alone.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@ParameterizedTest(name = "{argumentSetName}")
@ArgumentsSource(DrawnArguments.class)
public @interface Draws {

    /** The number of rows. */
    int value() default 100;
}
