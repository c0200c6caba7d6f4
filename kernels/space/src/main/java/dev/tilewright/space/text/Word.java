package dev.tilewright.space.text;

import dev.tilewright.model.space.Config;
import java.util.List;
import java.util.Optional;

/**
 * How a family says one of its parameters in short, or several that belong together.
 *
 * @param parameters that it stands for
 * @param said in which tables it is written
 * @param ofScheduler whether only some tile schedulers have a use for it: configs of others have it at a value that
 *     says so
 * @param form its mark
 */
public record Word(List<String> parameters, Said said, boolean ofScheduler, Form form) {

    /** In which tables a word is written. */
    public enum Said {
        /** In each. */
        ALWAYS,
        /** In each, where there is something to say: without it a reader takes the config for another kernel. */
        UNLESS_USUAL,
        /** If the configs of the table differ in it, and the value needs a word. */
        WHERE_IT_DIFFERS
    }

    /** The text for a config. */
    @FunctionalInterface
    public interface Form {

        /** Empty if the config does not have the parameters, or there is nothing to say of them. */
        Optional<Mark> mark(Config config);
    }

    /** The text for the value of one parameter. */
    @FunctionalInterface
    public interface ValueForm {

        /** Empty if there is nothing to say of the value. */
        Optional<Mark> mark(String value);
    }

    public Word {
        parameters = List.copyOf(parameters);
    }

    /** One that every config says. */
    public static Word always(Form form, String... parameters) {
        return new Word(List.of(parameters), Said.ALWAYS, false, form);
    }

    /** One parameter, where the configs of a table differ in it. */
    public static Word of(String parameter, ValueForm form) {
        return new Word(
                List.of(parameter),
                Said.WHERE_IT_DIFFERS,
                false,
                config -> value(config, parameter).flatMap(form::mark));
    }

    /** The same, also where all configs of a table have it. */
    public Word unlessUsual() {
        return new Word(parameters, Said.UNLESS_USUAL, ofScheduler, form);
    }

    /** The same, of a parameter that only some tile schedulers use. */
    public Word ofSomeSchedulers() {
        return new Word(parameters, said, true, form);
    }

    /** The value of a parameter as text; empty if the config does not have it. */
    public static Optional<String> value(Config config, String parameter) {
        return config.has(parameter) ? Optional.of(config.value(parameter).toString()) : Optional.empty();
    }
}
