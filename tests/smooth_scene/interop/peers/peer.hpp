// A ROS 2 client as the tests see it: commands on standard input, answers on standard output, one line each. Messages are
// CDR with the encapsulation header, in hexadecimal. ROS_DOMAIN_ID says where.
//
//   client NAME TYPE MS          a client of a service, once its server is matched      ok | timeout
//   call CLIENT MS HEX           asks and waits                                         reply HEX | timeout
//   send CLIENT HEX              asks and does not wait                                 ok
//   calls CLIENT MS IN OUT       asks everything in file IN, one after the other        done | timeout N
//   burst CLIENT MS IN OUT       asks everything in file IN at once                     done | timeout N
//   advertise NAME TYPE QOS      a publisher; QOS is best_effort, reliable or latched   ok
//   matched PUBLISHER MS         waits for a subscriber                                 ok | timeout
//   publish PUBLISHER HEX                                                               ok
//   subscribe NAME TYPE QOS                                                             ok
//   take SUBSCRIBER N MS         waits for N messages                                   message HEX ... end
//   endpoints                    endpoints of others that were discovered               endpoint TOPIC TYPE USER_DATA ... end
//
// Clients, publishers and subscribers are numbered from 0, each kind for itself. IN is a sequence of length (u32) and
// bytes; OUT of microseconds (f64), length and bytes.
#pragma once

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

using Bytes = std::vector<uint8_t>;
using Clock = std::chrono::steady_clock;
using Milliseconds = std::chrono::milliseconds;

// A ROS type such as pkg/srv/Name with an ending as DDS writes it: pkg::srv::dds_::Name_Request_
inline std::string dds_type(const std::string& ros, const std::string& ending) {
    const auto first = ros.find('/'), last = ros.rfind('/');
    return ros.substr(0, first) + "::" + ros.substr(first + 1, last - first - 1) + "::dds_::" + ros.substr(last + 1) + ending;
}

struct Client {
    virtual ~Client() = default;
    virtual bool matched() = 0;
    // Sends a request and returns its number; they follow each other.
    virtual int64_t send(const Bytes& request) = 0;
    // The next answer to this client and the number of its request.
    virtual std::optional<std::pair<int64_t, Bytes>> next(Milliseconds at_most) = 0;

    // Asks, and waits for the answer to that; answers to earlier requests are passed over.
    std::optional<Bytes> call(const Bytes& request, Milliseconds at_most) {
        const auto number = send(request);
        const auto end = Clock::now() + at_most;
        for (;;) {
            const auto left = std::chrono::duration_cast<Milliseconds>(end - Clock::now());
            auto reply = next(std::max(left, Milliseconds(0)));
            if (!reply) return std::nullopt;
            if (reply->first == number) return std::move(reply->second);
        }
    }
};

struct Publisher {
    virtual ~Publisher() = default;
    virtual bool matched() = 0;
    virtual void publish(const Bytes& message) = 0;
};

struct Subscriber {
    virtual ~Subscriber() = default;
    virtual std::optional<Bytes> take(Milliseconds at_most) = 0;
};

// An endpoint of another participant, as discovery announces it.
struct Endpoint {
    std::string topic, type, user_data;
};

// What a DDS implementation has to provide.
struct Middleware {
    virtual ~Middleware() = default;
    virtual std::unique_ptr<Client> client(const std::string& name, const std::string& type) = 0;
    virtual std::unique_ptr<Publisher> advertise(const std::string& name, const std::string& type, const std::string& qos) = 0;
    virtual std::unique_ptr<Subscriber> subscribe(const std::string& name, const std::string& type, const std::string& qos) = 0;
    // Those that were discovered since the last time.
    virtual std::vector<Endpoint> endpoints() = 0;
};

inline Bytes from_hex(const std::string& text) {
    Bytes bytes(text.size() / 2);
    const auto digit = [](char c) { return c <= '9' ? c - '0' : c - 'a' + 10; };
    for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<uint8_t>(digit(text[2 * i]) << 4 | digit(text[2 * i + 1]));
    return bytes;
}

inline std::string to_hex(const Bytes& bytes) {
    std::string text(2 * bytes.size(), '0');
    for (size_t i = 0; i < bytes.size(); ++i) {
        text[2 * i] = "0123456789abcdef"[bytes[i] >> 4];
        text[2 * i + 1] = "0123456789abcdef"[bytes[i] & 15];
    }
    return text;
}

template <typename T>
bool wait_for_match(T& endpoint, Milliseconds at_most) {
    const auto end = Clock::now() + at_most;
    while (!endpoint.matched()) {
        if (Clock::now() > end) return false;
        struct timespec pause = {0, 1000000};
        nanosleep(&pause, nullptr);
    }
    return true;
}

inline std::vector<Bytes> read_requests(const std::string& path) {
    std::ifstream requests(path, std::ios::binary);
    std::vector<Bytes> all;
    for (uint32_t length; requests.read(reinterpret_cast<char*>(&length), 4);) {
        all.emplace_back(length);
        requests.read(reinterpret_cast<char*>(all.back().data()), length);
    }
    return all;
}

// Answers in the order of the requests.
struct Answers {
    std::ofstream file;
    size_t missing = 0;

    explicit Answers(const std::string& path) : file(path, std::ios::binary) {}

    void add(double micros, const std::optional<Bytes>& reply) {
        const uint32_t length = reply ? static_cast<uint32_t>(reply->size()) : 0;
        file.write(reinterpret_cast<const char*>(&micros), 8);
        file.write(reinterpret_cast<const char*>(&length), 4);
        if (reply) file.write(reinterpret_cast<const char*>(reply->data()), length);
        else ++missing;
    }
};

inline double micros_since(Clock::time_point begin) {
    return std::chrono::duration<double, std::micro>(Clock::now() - begin).count();
}

// Every request of a file, one after the other; how many were not answered.
inline size_t call_all(Client& client, Milliseconds at_most, const std::string& in, const std::string& out) {
    Answers answers(out);
    for (const auto& request : read_requests(in)) {
        const auto begin = Clock::now();
        const auto reply = client.call(request, at_most);
        answers.add(micros_since(begin), reply);
    }
    return answers.missing;
}

// Every request of a file at once; how many were not answered. The time is that from the first request on.
inline size_t burst(Client& client, Milliseconds at_most, const std::string& in, const std::string& out) {
    std::vector<int64_t> numbers;
    const auto begin = Clock::now();
    for (const auto& request : read_requests(in)) numbers.push_back(client.send(request));
    std::map<int64_t, std::pair<double, Bytes>> replies;
    while (replies.size() < numbers.size()) {
        auto reply = client.next(at_most);
        if (!reply) break;
        replies[reply->first] = {micros_since(begin), std::move(reply->second)};
    }
    Answers answers(out);
    for (const auto number : numbers) {
        const auto found = replies.find(number);
        if (found == replies.end()) answers.add(0, std::nullopt);
        else answers.add(found->second.first, found->second.second);
    }
    return answers.missing;
}

inline int serve_commands(Middleware& middleware) {
    std::vector<std::unique_ptr<Client>> clients;
    std::vector<std::unique_ptr<Publisher>> publishers;
    std::vector<std::unique_ptr<Subscriber>> subscribers;
    for (std::string line; std::getline(std::cin, line);) {
        std::istringstream words(line);
        std::string command, name, type, qos, hex;
        size_t number = 0, count = 0;
        long ms = 0;
        words >> command;
        if (command == "client") {
            words >> name >> type >> ms;
            clients.push_back(middleware.client(name, type));
            std::cout << (wait_for_match(*clients.back(), Milliseconds(ms)) ? "ok" : "timeout");
        } else if (command == "call") {
            words >> number >> ms >> hex;
            const auto reply = clients.at(number)->call(from_hex(hex), Milliseconds(ms));
            std::cout << (reply ? "reply " + to_hex(*reply) : "timeout");
        } else if (command == "send") {
            words >> number >> hex;
            clients.at(number)->send(from_hex(hex));
            std::cout << "ok";
        } else if (command == "calls" || command == "burst") {
            words >> number >> ms >> name >> type;
            const auto ask = command == "calls" ? call_all : burst;
            const size_t missing = ask(*clients.at(number), Milliseconds(ms), name, type);
            if (missing) std::cout << "timeout " << missing;
            else std::cout << "done";
        } else if (command == "advertise") {
            words >> name >> type >> qos;
            publishers.push_back(middleware.advertise(name, type, qos));
            std::cout << "ok";
        } else if (command == "matched") {
            words >> number >> ms;
            std::cout << (wait_for_match(*publishers.at(number), Milliseconds(ms)) ? "ok" : "timeout");
        } else if (command == "publish") {
            words >> number >> hex;
            publishers.at(number)->publish(from_hex(hex));
            std::cout << "ok";
        } else if (command == "subscribe") {
            words >> name >> type >> qos;
            subscribers.push_back(middleware.subscribe(name, type, qos));
            std::cout << "ok";
        } else if (command == "take") {
            words >> number >> count >> ms;
            const auto end = Clock::now() + Milliseconds(ms);
            while (count-- > 0) {
                const auto left = std::chrono::duration_cast<Milliseconds>(end - Clock::now());
                const auto message = subscribers.at(number)->take(std::max(left, Milliseconds(0)));
                if (!message) break;
                std::cout << "message " << to_hex(*message) << '\n';
            }
            std::cout << "end";
        } else if (command == "endpoints") {
            for (const auto& endpoint : middleware.endpoints()) {
                const auto& data = endpoint.user_data.empty() ? "-" : endpoint.user_data;
                std::cout << "endpoint " << endpoint.topic << ' ' << endpoint.type << ' ' << data << '\n';
            }
            std::cout << "end";
        } else {
            std::cout << "unknown command " << command;
        }
        std::cout << std::endl;
    }
    // Closing the pipe ends the peer as a program ends that leaves politely; a kill is what the tests do for the other way.
    return 0;
}

inline unsigned domain() {
    const char* id = std::getenv("ROS_DOMAIN_ID");
    return id ? static_cast<unsigned>(std::atoi(id)) : 0;
}
