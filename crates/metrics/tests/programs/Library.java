package example.library;

import java.io.BufferedReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Books, and who has them.
 */
public class Library implements AutoCloseable {
    private static final int MAX_LOANS = 0x10;

    // Longest title first.
    private static final Comparator<Book> BY_TITLE = new Comparator<>() {
        @Override
        public int compare(Book a, Book b) {
            return a.title().length() > b.title().length() ? -1 : 1;
        }
    };

    private final List<Book> books = new ArrayList<>();
    private boolean open = true;

    public Library(List<Book> initial) {
        for (Book book : initial) {
            if (book != null && book.title() != null) {
                books.add(book);
            }
        }
        books.sort(BY_TITLE);
    }

    public synchronized Loan lend(String title, Member member) throws LibraryException {
        assert member != null : "a member";
        if (open == false) {
            throw new LibraryException("closed");
        } else if (member.loans() >= MAX_LOANS || member.isBarred()) {
            return null;
        }
        int index = 0;
        while (index < books.size()) {
            Book book = books.get(index++);
            if (book.title().equals(title)) {
                return new Loan(book, member, 14);
            }
        }
        return null;
    }

    static List<Book> read(BufferedReader reader) {
        List<Book> found = new ArrayList<>();
        try (reader) {
            String line;
            do {
                line = reader.readLine();
                String text = """
                    A block of text
                    over lines.
                    """;
                found.add(Book.parse(line == null ? text : line));
            } while (line != null);
        } catch (IOException | IllegalStateException error) {
            System.err.println(error.getMessage());
        } finally {
            found.removeIf(book -> book.title().isEmpty() || book.year() < 1.5e3);
        }
        return found;
    }

    static int fee(Item item, int days) {
        return switch (item) {
            case Book book when book.year() > 2000 -> days * 10;
            case Book book -> days * 5;
            case Film film -> {
                int extra = 0;
                for (int day = 7; day < days; day++) {
                    extra += 'a';
                }
                yield extra;
            }
            default -> 0;
        };
    }

    static String season(int month) {
        switch (month) {
            case 12:
            case 1:
            case 2:
                return "winter";
            default:
                return "another";
        }
    }

    @Override
    public void close() {
        open = false;
        Runnable log = new Runnable() {
            public void run() {
                System.out.println("closed");
            }
        };
        log.run();
    }

    sealed interface Item permits Book, Film, Game {
        int year();

        default boolean isOld() {
            return year() < 1950 ? true : false;
        }
    }

    record Book(String title, int year) implements Item {
        Book {
            if (year < 0) {
                throw new IllegalArgumentException("year");
            }
        }

        static Book parse(String line) {
            return new Book(line, 0);
        }
    }

    enum Shelf {
        HIGH {
            @Override
            int height() {
                return 200;
            }
        },
        LOW;

        int height() {
            return 20;
        }
    }
}
