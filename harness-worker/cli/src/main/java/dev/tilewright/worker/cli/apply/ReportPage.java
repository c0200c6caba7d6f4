package dev.tilewright.worker.cli.apply;

import dev.tilewright.worker.cli.capture.CaptureSummary;
import java.io.StringWriter;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;

/**
 * A report as a page of its own: the GEMMs as a treemap by time, and the table behind it. It is one file, without a
 * script, and asks for nothing from outside.
 */
record ReportPage(PackReport report) {

    private static final int WIDTH = 1200;
    private static final int HEIGHT = 460;
    /** Units of the picture that a letter and a line take. */
    private static final double LETTER = 7.2;

    private static final double LINE = 16;

    /** A class of colours, from the least ratio of times on. */
    private record Shade(String name, double from, String meaning) {}

    private static final List<Shade> SHADES = List.of(
            new Shade("most", 1.1, "faster by 10 % and more"),
            new Shade("more", 1.02, "by 2 % and more"),
            new Shade("some", 1, "by less"),
            new Shade("none", 0, "not faster"));
    private static final Shade UNTIMED = new Shade("untimed", 0, "a kernel whose gain was not timed");
    private static final Shade LEFT = new Shade("left", 0, "PyTorch's kernel stays");

    private static final String STYLE = """

            body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 1200px; padding: 0 1rem;
              color: #1c2128; background: #fff; }
            h1 { font-size: 1.4rem; overflow-wrap: anywhere; }
            .simulated { font-weight: 700; color: #8a3b00; }
            svg { width: 100%; height: auto; display: block; margin: 1rem 0; }
            svg text { font: 12px ui-monospace, monospace; fill: #fff; }
            rect { stroke: #fff; stroke-width: 2; }
            .most { fill: #0b6b3a; background: #0b6b3a; } .more { fill: #2c7d4f; background: #2c7d4f; }
            .some { fill: #4a6b80; background: #4a6b80; } .untimed { fill: #3d5a8a; background: #3d5a8a; }
            .none { fill: #7a5c3e; background: #7a5c3e; }
            .left { fill: #6b6f76; background: #6b6f76; }
            .key { display: inline-block; width: 0.8em; height: 0.8em; margin: 0 0.3em 0 1em; }
            .table { overflow-x: auto; }
            table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
            th, td { text-align: left; padding: 0.25rem 0.75rem; border-bottom: 1px solid #d0d7de; }
            td { white-space: nowrap; }
            td:last-child { white-space: normal; }
            td:nth-child(2), td:last-child { font-family: ui-monospace, monospace; font-size: 13px; }
            @media (prefers-color-scheme: dark) {
              body { color: #e6e6e6; background: #14171a; } rect { stroke: #14171a; }
              th, td { border-color: #3a4048; } .simulated { color: #ffb169; } }
            """;

    String text() {
        StringWriter text = new StringWriter();
        try {
            XMLStreamWriter page = XMLOutputFactory.newFactory().createXMLStreamWriter(text);
            page.writeDTD("<!DOCTYPE html>");
            page.writeStartElement("html");
            page.writeAttribute("lang", "en");
            head(page);
            page.writeStartElement("body");
            element(page, "h1", "The GEMMs of " + report.program());
            if (report.simulated()) {
                element(page, "p", PackReport.SIMULATED, "class", "simulated");
            }
            page.writeStartElement("ul");
            for (String fact : report.facts()) {
                element(page, "li", fact);
            }
            page.writeEndElement();
            legend(page);
            treemap(page);
            table(page);
            page.writeEndElement();
            page.writeEndElement();
            page.close();
        } catch (XMLStreamException impossible) {
            throw new IllegalStateException("a text of memory cannot be written", impossible);
        }
        return text + "\n";
    }

    private void head(XMLStreamWriter page) throws XMLStreamException {
        page.writeStartElement("head");
        page.writeEmptyElement("meta");
        page.writeAttribute("charset", "utf-8");
        page.writeEmptyElement("meta");
        page.writeAttribute("name", "viewport");
        page.writeAttribute("content", "width=device-width, initial-scale=1");
        element(page, "title", "Tilewright: " + report.program());
        element(page, "style", STYLE);
        page.writeEndElement();
    }

    private static void legend(XMLStreamWriter page) throws XMLStreamException {
        page.writeStartElement("p");
        page.writeCharacters("Areas are the shares of the table.");
        for (Shade shade :
                Stream.concat(SHADES.stream(), Stream.of(UNTIMED, LEFT)).toList()) {
            element(page, "span", "", "class", "key " + shade.name());
            page.writeCharacters(shade.meaning());
        }
        page.writeEndElement();
    }

    private void treemap(XMLStreamWriter page) throws XMLStreamException {
        List<PackReport.Line> timed = report.lines().stream()
                .filter(line -> line.share() > 0)
                .sorted((one, other) -> Double.compare(other.share(), one.share()))
                .toList();
        if (timed.isEmpty()) {
            return;
        }
        List<Treemap.Rectangle> rectangles =
                Treemap.of(timed.stream().map(PackReport.Line::share).toList(), WIDTH, HEIGHT);
        page.writeStartElement("svg");
        page.writeAttribute("viewBox", "0 0 " + WIDTH + " " + HEIGHT);
        page.writeAttribute("role", "img");
        page.writeAttribute("aria-label", "The GEMMs by their shares of the time; the table below has the same");
        for (int i = 0; i < timed.size(); i++) {
            tile(page, timed.get(i), rectangles.get(i));
        }
        page.writeEndElement();
    }

    private static void tile(XMLStreamWriter page, PackReport.Line line, Treemap.Rectangle at)
            throws XMLStreamException {
        page.writeStartElement("g");
        element(page, "title", String.join(", ", PackReport.cells(line)));
        page.writeEmptyElement("rect");
        page.writeAttribute("class", shade(line).name());
        page.writeAttribute("x", number(at.x()));
        page.writeAttribute("y", number(at.y()));
        page.writeAttribute("width", number(at.width()));
        page.writeAttribute("height", number(at.height()));
        List<String> fitting = words(line)
                .filter(word -> word.length() * LETTER + LINE <= at.width())
                .limit((long) (at.height() / LINE - 0.5))
                .toList();
        for (int i = 0; i < fitting.size(); i++) {
            String y = number(at.y() + (i + 1.2) * LINE);
            element(page, "text", fitting.get(i), "x", number(at.x() + LINE / 2), "y", y);
        }
        page.writeEndElement();
    }

    /**
     * The share, the extents, the times, and what else the problem says, each for a line. Only times that were measured
     * beside each other stand beside each other.
     */
    private static Stream<String> words(PackReport.Line line) {
        String[] problem = line.problem().split(" ", 2);
        String times = Stream.of(line.kernel().isEmpty() ? line.recordedUs() : line.pytorchUs(), line.us())
                .flatMap(Optional::stream)
                .map(us -> PackReport.us(Optional.of(us)) + " us")
                .collect(Collectors.joining(" \u2192 "));
        return Stream.concat(
                        Stream.of(CaptureSummary.percent(line.share()), problem[0], times),
                        Stream.of(problem).skip(1))
                .filter(word -> !word.isEmpty());
    }

    private static Shade shade(PackReport.Line line) {
        if (line.kernel().isEmpty()) {
            return LEFT;
        }
        return line.ratio()
                .flatMap(ratio ->
                        SHADES.stream().filter(shade -> ratio >= shade.from()).findFirst())
                .orElse(UNTIMED);
    }

    private void table(XMLStreamWriter page) throws XMLStreamException {
        page.writeStartElement("div");
        page.writeAttribute("class", "table");
        page.writeStartElement("table");
        page.writeStartElement("tr");
        for (String name : PackReport.header()) {
            element(page, "th", name);
        }
        page.writeEndElement();
        for (PackReport.Line line : report.lines()) {
            page.writeStartElement("tr");
            for (String cell : PackReport.cells(line)) {
                element(page, "td", cell);
            }
            page.writeEndElement();
        }
        page.writeEndElement();
        page.writeEndElement();
    }

    private static void element(XMLStreamWriter page, String name, String content, String... attributes)
            throws XMLStreamException {
        page.writeStartElement(name);
        for (int i = 0; i < attributes.length; i += 2) {
            page.writeAttribute(attributes[i], attributes[i + 1]);
        }
        page.writeCharacters(content);
        page.writeEndElement();
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%.1f", value);
    }
}
