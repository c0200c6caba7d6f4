package dev.tilewright.worker.cli.board;

import dev.tilewright.model.space.Config;
import dev.tilewright.space.Parameter;
import dev.tilewright.space.SearchSpace;
import dev.tilewright.space.text.Mark;
import dev.tilewright.space.text.Vocabulary;
import java.util.List;
import java.util.stream.Collectors;

/** Tables of what a config says, and of what it might say. */
public final class ConfigTables {

    private static final String NOTHING = "-";

    private ConfigTables() {}

    /** Each part of a config: its parameters, its mark on boards, what it means. */
    public static TextTable of(Vocabulary vocabulary, Config config) {
        TextTable table = new TextTable(List.of("parameters", "in short", "in words"), "lll");
        for (Vocabulary.Explained part : vocabulary.explained(config)) {
            table.add(List.of(
                    part.parameters().stream()
                            .map(name -> name + "=" + config.value(name))
                            .collect(Collectors.joining(" ")),
                    part.mark().map(Mark::text).orElse(NOTHING),
                    part.mark()
                            .map(Mark::meaning)
                            .filter(meaning -> !meaning.isEmpty())
                            .orElse("as usual")));
        }
        return table;
    }

    /** Each parameter with its values; those that are not usual in brackets. */
    public static TextTable values(SearchSpace space) {
        TextTable table = new TextTable(List.of("parameter", "values"), "ll");
        for (Parameter parameter : space.parameters()) {
            table.add(List.of(
                    parameter.name(),
                    String.join(
                            " ",
                            Parameter.said(
                                    value -> parameter.usual().contains(value) ? value.toString() : "[" + value + "]",
                                    parameter.values()))));
        }
        return table;
    }
}
