package dev.tilewright.api.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.Rectangle;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.interactions.Actions;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;
import org.openqa.selenium.support.ui.WebDriverWait;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Headless Chromium, from the PATH or fetched by {@code packaging/chromium.sh}; without it the tests fail. It notes
 * what its console says and whom it asks.
 */
final class Browser implements AutoCloseable {

    static final Path SHOTS = Path.of("target", "screenshots");

    /** {@code -Dpages.every-look=true}: pages are looked at in every look, and pictures of them are kept. */
    private static final boolean EVERY_LOOK = Boolean.getBoolean("pages.every-look");

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    /** Half a second, which is usual, is more than most pages take. */
    private static final Duration LOOKS_EVERY = Duration.ofMillis(50);

    /** Pixels of a picture at the most, and of the top of a page. */
    private static final long MOST = 6000;

    private static final long TOP = 1000;

    /** Chromium in the sandbox of a container, with no errand of its own in the network. */
    private static final List<String> ARGUMENTS = List.of(
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--disable-quic",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--force-device-scale-factor=1",
            "--hide-scrollbars",
            "--lang=en-GB");

    /** How wide a window is, and in which colours. */
    enum Look {
        WIDE_LIGHT(1280, "light"),
        WIDE_DARK(1280, "dark"),
        NARROW_LIGHT(390, "light"),
        NARROW_DARK(390, "dark");

        /** Each width and each scheme once, unless all are wanted. */
        private static final Set<Look> LOOKED_AT =
                EVERY_LOOK ? EnumSet.allOf(Look.class) : EnumSet.of(WIDE_LIGHT, NARROW_DARK);

        private final int width;
        private final String scheme;

        Look(int width, String scheme) {
            this.width = width;
            this.scheme = scheme;
        }

        @Override
        public String toString() {
            return width + "-" + scheme;
        }
    }

    private final ChromeDriver driver;
    private final String url;

    /** @param url that is the only one it may ask */
    Browser(String url) {
        this.url = url;
        List<String> programs = programs();
        ChromeOptions options = new ChromeOptions();
        options.setBinary(programs.getFirst());
        options.addArguments(ARGUMENTS);
        LoggingPreferences logs = new LoggingPreferences();
        logs.enable(LogType.BROWSER, Level.ALL);
        logs.enable(LogType.PERFORMANCE, Level.ALL);
        options.setCapability("goog:loggingPrefs", logs);
        driver = new ChromeDriver(
                new ChromeDriverService.Builder()
                        .usingDriverExecutable(Path.of(programs.getLast()).toFile())
                        .build(),
                options);
        look(Look.WIDE_LIGHT);
    }

    /** The same window at another service, which is the only one that it may ask then. */
    private Browser(ChromeDriver driver, String url) {
        this.driver = driver;
        this.url = url;
    }

    Browser at(String other) {
        return new Browser(driver, other);
    }

    private static List<String> programs() {
        try {
            Process fetch = new ProcessBuilder("../packaging/chromium.sh")
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            List<String> lines = new String(fetch.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .toList();
            assertThat(fetch.waitFor(5, TimeUnit.MINUTES)).isTrue();
            assertThat(fetch.exitValue())
                    .as("packaging/chromium.sh: no browser for the tests")
                    .isZero();
            return lines;
        } catch (IOException e) {
            throw new AssertionError("no browser for the tests", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    void look(Look look) {
        driver.executeCdpCommand(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", look.width, "height", 900, "deviceScaleFactor", 1, "mobile", false));
        driver.executeCdpCommand(
                "Emulation.setEmulatedMedia",
                // Else a picture shows a colour on its way from one scheme to the other.
                Map.of(
                        "features",
                        List.of(
                                Map.of("name", "prefers-color-scheme", "value", look.scheme),
                                Map.of("name", "prefers-reduced-motion", "value", "reduce"))));
    }

    void open(String path) {
        driver.get(url + path);
    }

    /**
     * Leaves the page: one of work that is open asks for it again and again, also when the test of it is over. Cookies
     * go too, which a browser has of all services of a host.
     */
    void leave() {
        driver.get("about:blank");
        driver.executeCdpCommand("Network.clearBrowserCookies", Map.of());
        driver.manage().logs().get(LogType.PERFORMANCE);
        forgetConsole();
    }

    /** Where it is. */
    String path() {
        return URI.create(driver.getCurrentUrl()).getPath();
    }

    String source() {
        return driver.getPageSource();
    }

    String text() {
        return find("main").getText();
    }

    /** Waits for it: a page that was just asked for has nothing yet. */
    WebElement find(String css) {
        return new WebDriverWait(driver, PATIENCE, LOOKS_EVERY)
                .until(_ -> all(css).stream().findFirst().orElse(null));
    }

    List<WebElement> all(String css) {
        return driver.findElements(By.cssSelector(css));
    }

    void click(String css) {
        find(css).click();
    }

    void clickText(String text) {
        driver.findElement(By.linkText(text)).click();
    }

    /** Opens what is folded under a word. */
    void unfold(String word) {
        all("summary").stream()
                .filter(summary -> summary.getText().startsWith(word))
                .findFirst()
                .orElseThrow(() -> new AssertionError("nothing is folded under " + word))
                .click();
    }

    void fill(String css, String text) {
        WebElement field = find(css);
        field.clear();
        field.sendKeys(text);
    }

    /** Presses keys, wherever the focus is. */
    void press(CharSequence... keys) {
        new Actions(driver).sendKeys(keys).perform();
    }

    /** What has the focus; what has it must be seen to have it. */
    WebElement focused() {
        WebElement element = driver.switchTo().activeElement();
        assertThat(element.getCssValue("outline-style"))
                .as("outline of " + element.getTagName())
                .isNotEqualTo("none");
        return element;
    }

    /** Goes on with the tabulator to a field, over a few others at most. */
    void tabTo(String css) {
        for (int i = 0; i < 20; i++) {
            press(Keys.TAB);
            if (focused().equals(find(css))) {
                return;
            }
        }
        throw new AssertionError("the tabulator does not come to " + css);
    }

    /** Puts a long text into a field at once: one key after the other takes minutes. */
    void paste(String css, String text) {
        driver.executeScript("arguments[0].value = arguments[1]", find(css), text);
    }

    void await(String css, String text) {
        new WebDriverWait(driver, PATIENCE, LOOKS_EVERY)
                .until(_ -> all(css).stream().anyMatch(element -> shows(element, text)));
    }

    /** Waits until the page says all of it. */
    void awaitText(String... texts) {
        new WebDriverWait(driver, PATIENCE, LOOKS_EVERY)
                .withMessage(() -> String.join(", ", texts) + " in: " + text())
                .until(_ ->
                        all("main").stream().anyMatch(main -> Stream.of(texts).allMatch(text -> shows(main, text))));
    }

    /** Waits until the page says it no more. */
    void awaitGone(String text) {
        new WebDriverWait(driver, PATIENCE, LOOKS_EVERY)
                .until(_ -> all("main").stream().anyMatch(main -> !shows(main, text) && shows(main, "")));
    }

    /** By the text as the browser has it: WebDriver's own walks a page of a thousand cells for seconds. */
    private static boolean shows(WebElement element, String text) {
        try {
            String shown = element.getDomProperty("innerText");
            return shown != null && shown.contains(text);
        } catch (org.openqa.selenium.StaleElementReferenceException swapped) {
            return false;
        }
    }

    Object run(String script) {
        return driver.executeScript(script);
    }

    /** Nothing may be on the console, and nobody else may have been asked; since the last time. */
    void expectQuiet() {
        assertThat(driver.manage().logs().get(LogType.BROWSER).getAll())
                .extracting(LogEntry::getMessage)
                .isEmpty();
        for (LogEntry entry : driver.manage().logs().get(LogType.PERFORMANCE)) {
            JsonNode message = JsonMapper.shared().readTree(entry.getMessage()).get("message");
            if (message.get("method").asString().equals("Network.requestWillBeSent")) {
                String asked = message.get("params").get("request").get("url").asString();
                assertThat(asked.startsWith(url + "/") || asked.startsWith("data:"))
                        .as("a request to " + asked)
                        .isTrue();
            }
        }
    }

    /** Forgets what the console has said so far: a page for a 404 is announced there as well. */
    void forgetConsole() {
        driver.manage().logs().get(LogType.BROWSER);
    }

    /**
     * axe-core must find nothing that is serious or critical, nothing may be wider than the window, and each picture
     * says its numbers in words. What is folded is unfolded for that: neither of the two sees it otherwise. Of what is
     * folded under the same words, as the tables of maps are, one is enough.
     */
    void expectUsable() {
        run("""
                const words = each => each.querySelector('summary').textContent;
                const all = [...document.querySelectorAll('details')];
                window.folded = all.filter((each, at) => !each.open && all.findIndex(other => words(other) === words(each)) === at);
                folded.forEach(each => each.open = true);
                """);
        awaitCharts();
        assertThat((List<?>) run("""
                const said = picture => picture.getAttribute('aria-label')
                    ?? document.getElementById(picture.getAttribute('aria-describedby'))?.textContent ?? '';
                return [...document.querySelectorAll('[role=img], [role=application]')].filter(picture => !/\\d/.test(said(picture)))
                    .map(picture => picture.outerHTML.slice(0, 200));
                """)).as("pictures without words at " + path()).isEmpty();
        for (Look look : Look.LOOKED_AT) {
            look(look);
            awaitFitting(look);
            awaitCharts();
            assertThat(violations(look)).as(look + " at " + path()).isEmpty();
        }
        run("folded.forEach(each => each.open = false)");
        look(Look.WIDE_LIGHT);
    }

    /**
     * Another look has other colours and the same words: all that is not colour is looked at in the first. Rows of a
     * table are alike: the first eight are looked at.
     */
    @SuppressWarnings("unchecked")
    private List<String> violations(Look look) {
        // Through the debugger: the policy of the page lets no script in, which is as it should be.
        if (!Boolean.TRUE.equals(run("return 'axe' in window"))) {
            driver.executeCdpCommand("Runtime.evaluate", Map.of("expression", axe()));
        }
        Object found = driver.executeAsyncScript("""
                const done = arguments[arguments.length - 1];
                const options = {resultTypes: ['violations'], preload: false};
                if (arguments[0]) { options.runOnly = ['color-contrast']; }
                axe.run({exclude: [['tbody tr:nth-child(n + 9)']]}, options).then(result => done(result.violations
                    .filter(each => ['serious', 'critical'].includes(each.impact))
                    .map(each => each.id + ': ' + each.nodes.map(node => node.html.slice(0, 200)).slice(0, 3).join(' | '))));
                """, !EVERY_LOOK && look != Look.WIDE_LIGHT);
        return (List<String>) found;
    }

    private static String axe() {
        try (InputStream script = new GZIPInputStream(Browser.class.getResourceAsStream("/axe/axe-4.14.1.min.js.gz"))) {
            return new String(script.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** Keeps pictures of the whole page, one for each look: they take as long as all that is tested. */
    void keep(String name) throws IOException {
        if (!EVERY_LOOK) {
            return;
        }
        Files.createDirectories(SHOTS);
        for (Look look : Look.values()) {
            look(look);
            Files.write(SHOTS.resolve(name + "-" + look + ".png"), picture(look));
        }
        look(Look.WIDE_LIGHT);
    }

    /** Writes the top of the page into the documentation, if {@code -Dpages.accept=true} asks for that. */
    void keepForDocs(String file) throws IOException {
        if (Boolean.getBoolean("pages.accept")) {
            Path images = Files.createDirectories(Path.of("..", "docs", "images"));
            Files.write(images.resolve(file), picture(Look.WIDE_LIGHT, TOP, 0.75));
        }
    }

    /** Writes one element of the page into the documentation, likewise. */
    void keepForDocs(String file, String css) throws IOException {
        if (Boolean.getBoolean("pages.accept")) {
            Path images = Files.createDirectories(Path.of("..", "docs", "images"));
            Files.write(images.resolve(file), picture(find(css).getRect(), 0.75));
        }
    }

    /** A chart is drawn for the new width a moment after the window has it. */
    private void awaitFitting(Look look) {
        new WebDriverWait(driver, PATIENCE, LOOKS_EVERY)
                .withMessage(() -> "wider than " + look + " at " + path())
                .until(_ -> Boolean.TRUE.equals(run("""
                        const page = document.documentElement;
                        return page.scrollWidth === page.clientWidth;
                        """)));
    }

    private void awaitCharts() {
        new WebDriverWait(driver, PATIENCE, LOOKS_EVERY)
                .until(
                        _ -> Boolean.TRUE.equals(
                                run(
                                        "return !document.querySelector('.chart:not([data-drawn]), canvas[data-map]:not([data-drawn])')")));
    }

    private byte[] picture(Look look) {
        return picture(look, MOST, 1);
    }

    private byte[] picture(Look look, long most, double scale) {
        // Charts are drawn anew at another width.
        awaitCharts();
        long height = Math.min(most, (Long) run("return document.documentElement.scrollHeight"));
        return picture(new Rectangle(0, 0, (int) height, look.width), scale);
    }

    private byte[] picture(Rectangle part, double scale) {
        Map<String, Object> clip = new HashMap<>(
                Map.of("x", part.x, "y", part.y, "width", part.width, "height", part.height, "scale", scale));
        Object data = driver.executeCdpCommand(
                        "Page.captureScreenshot", Map.of("captureBeyondViewport", true, "clip", clip))
                .get("data");
        return Base64.getDecoder().decode((String) data);
    }

    @Override
    public void close() {
        driver.quit();
    }
}
